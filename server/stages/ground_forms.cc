#include "server/stages/ground_forms.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "server/stages/host_math.h"
#include "server/stages/noise_lattice.h"
#include "shaders/kernels/ground.glsl"

namespace thalweg::stages {
namespace {

// Quaternions of one norm that turn differently.
using FarTurns = std::array<int, 3>;

// Norms over an octave: for a cell of any length there is one with which it is right to 5 %.
const std::array<FarTurns, 8>& FarTurnsInSpace() {
  static const std::array<FarTurns, 8> kTurns = [] {
    using kernels::packedSpaceTurn;
    const auto row = [](int a, int b, int c, int d) {
      return FarTurns{packedSpaceTurn(a, b, c, d), packedSpaceTurn(c, -d, a, b),
                      packedSpaceTurn(d, a, -b, c)};
    };
    return std::array<FarTurns, 8>{{row(3, 2, 2, 1), row(3, 3, 1, 1), row(4, 2, 1, 1),
                                    row(4, 2, 2, 1), row(4, 3, 1, 1), row(4, 3, 2, 1),
                                    row(5, 2, 1, 1), row(4, 3, 2, 2)}};
  }();
  return kTurns;
}

int FarLatticeInSpace(double length_cells, std::uint32_t turn, int finer_levels) {
  const double units = std::ldexp(length_cells, kernels::kSpaceUnitBits);
  int packed = 0;
  int shift = 0;
  double best = 1e9;
  for (const FarTurns& turns : FarTurnsInSpace()) {
    const int norm = kernels::spaceNorm(turns.front());
    int bits = 1;
    while (std::ldexp(1.0, bits) < units * norm / std::numbers::sqrt2) ++bits;
    const double length = std::ldexp(1.0, bits) / norm;
    const double missed = length > units ? length / units : units / length;
    if (missed >= best) continue;
    best = missed;
    packed = turns[turn % turns.size()];
    shift = bits;
  }
  return kernels::farSpaceLattice(packed, shift, std::max(32 - shift - finer_levels, 1));
}

// Quaternions of the norms 25 and 65.
GroundTurns TurnsInSpace(const LevelNumbers& level) {
  using kernels::packedSpaceTurn;
  if (level.number % 2 == 0) {
    return {.a = packedSpaceTurn(4, 2, 2, 1),
            .b = packedSpaceTurn(2, -1, 4, 2),
            .c = packedSpaceTurn(6, 4, 3, 2),
            .d = packedSpaceTurn(4, -2, 3, 6)};
  }
  return {.a = packedSpaceTurn(1, 4, -2, 2),
          .b = packedSpaceTurn(2, 2, 1, -4),
          .c = packedSpaceTurn(3, -6, 2, 4),
          .d = packedSpaceTurn(2, 3, -4, 6)};
}

constexpr std::uint32_t kFormStream = 0x72000000;

// A form is made where its wavelength has at least so many cells and less than twice as many; the
// first level also makes longer ones.
constexpr double kShortestCells = 5.5;

bool Makes(const LevelNumbers& level, double wavelength_m) {
  const double cells = wavelength_m / CellMetres(level);
  return cells >= kShortestCells && (cells < 2 * kShortestCells || level.ground_levels_above == 0);
}

std::uint32_t FirstStream(const LevelNumbers& level) {
  return kFormStream + kernels::kFormStreams * static_cast<std::uint32_t>(level.number);
}

// Trains of one kind, in three sizes.
struct TrainKind {
  double towards_deg;  // from ridge to ridge, clockwise from north
  double wavelength_m;
  double height_m;
  double fall;  // the part of a wave that falls
  double bend;  // how far ridges turn, as a slope
  double slope;
  bool on_rock;
};

// The sizes of the smaller trains as parts of the largest: their wavelengths and heights.
struct TrainSize {
  double wavelength;
  double height;
};
using TrainSizes = std::array<TrainSize, 3>;
constexpr TrainSizes kDuneSizes = {{{1, 1}, {0.36, 0.22}, {0.037, 0.014}}};
constexpr TrainSizes kStriaSizes = {{{1, 1}, {0.27, 0.25}, {0.07, 0.06}}};

void AddTrains(const TrainKind& kind, const TrainSizes& sizes, std::uint32_t stream,
               const LevelNumbers& level, std::vector<kernels::TrainParams>& trains) {
  const Heading towards = HeadingOf(kind.towards_deg);
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const double wavelength_m = kind.wavelength_m * sizes[k].wavelength;
    if (!Makes(level, wavelength_m)) continue;
    const auto size = static_cast<std::uint32_t>(k);
    // The stripes' lattice has 1.1 wavelengths in a cell.
    const int lattice = FarLattice(1.1 * wavelength_m, size, level);
    trains.push_back({.planes = level.planes,
                      .stream = FirstStream(level) + stream + kernels::kTrainStreams * size,
                      .lattice = lattice,
                      .bends = FarLattice(7 * wavelength_m, size + 3, level),
                      .patches = FarLattice(11 * wavelength_m, size + 5, level),
                      .direction = PackedPair(towards.east, towards.south),
                      .across = 1.1F * PerFarTurn(lattice, level),
                      .height = KernelFloat(HeightUnits(kind.height_m * sizes[k].height)),
                      .profile = PackedPair(kind.fall, kind.bend),
                      .slopes = PackedPair(0.6 * kind.slope, kind.slope),
                      .base_level = std::max(level.sea_level, -(1 << 30)),
                      .on_rock = kind.on_rock ? 1 : 0});
  }
}

// The part of a dune's wave that falls: nearly as steeply as dry sand lies.
double LeePart(const v1::GroundDunes& dunes) {
  constexpr double kLeeSlope = 0.5;
  return std::clamp(dunes.height_m() / (kLeeSlope * dunes.wavelength_m()), 0.12, 0.4);
}

}  // namespace

GroundTurns TurnsOf(const LevelNumbers& level) {
  using kernels::packedTurn;
  if (level.on_sphere) return TurnsInSpace(level);
  if (level.number % 2 == 0) {
    return {.a = packedTurn(24, 7),
            .b = packedTurn(7, 24),
            .c = packedTurn(63, 16),
            .d = packedTurn(52, 39)};
  }
  return {.a = packedTurn(20, 15),
          .b = packedTurn(15, 20),
          .c = packedTurn(33, 56),
          .d = packedTurn(25, 60)};
}

int FarLattice(double length_m, std::uint32_t turn, const LevelNumbers& level) {
  const double length_cells = std::max(length_m / CellMetres(level), 1.0);
  if (level.on_sphere) return FarLatticeInSpace(length_cells, turn, level.finer_levels);
  const kernels::Lattice lattice = VertexLattice(length_cells, turn);
  return kernels::farLattice(lattice, std::max(32 - lattice.shift - level.finer_levels, 1));
}

float PerFarTurn(int lattice, const LevelNumbers& level) {
  if (level.on_sphere) return 1.0F / static_cast<float>(kernels::spaceNorm(lattice & 0xffff));
  const kernels::ivec2 turn = kernels::farTurn(lattice);
  const auto square = static_cast<float>(turn.x * turn.x + turn.y * turn.y);
  return kernels::reciprocalSqrt(square);
}

int PackedPair(double first, double second) {
  return kernels::packedPair16(KernelFloat(first), KernelFloat(second));
}

double CellMetres(const LevelNumbers& level) { return level.cell_units / HeightUnits(1); }

GroundForms FormsOf(const v1::Ground& ground, const LevelNumbers& level) {
  GroundForms forms;
  const double cell_m = CellMetres(level);
  const std::uint32_t stream = FirstStream(level);
  const GroundTurns turns = TurnsOf(level);
  if (ground.has_dunes()) {
    const v1::GroundDunes& dunes = ground.dunes();
    AddTrains({.towards_deg = dunes.wind_deg(),
               .wavelength_m = dunes.wavelength_m(),
               .height_m = dunes.height_m(),
               .fall = LeePart(dunes),
               .bend = 0.4,
               .slope = dunes.slope(),
               .on_rock = false},
              kDuneSizes, 0, level, forms.trains);
  }
  if (ground.has_striae()) {
    const v1::GroundStriae& striae = ground.striae();
    // Grooves run along the ice's way: from ridge to ridge is across it. The way back is the same.
    const double ice_deg = striae.ice_deg();
    AddTrains({.towards_deg = ice_deg <= 270 ? ice_deg + 90 : ice_deg - 90,
               .wavelength_m = striae.wavelength_m(),
               .height_m = striae.depth() * striae.wavelength_m(),
               .fall = 0.5,
               .bend = 0.12,
               .slope = 1.4,
               .on_rock = true},
              kStriaSizes, kernels::kTrainStreams * 3, level, forms.trains);
  }
  // About as wide as sheep tread.
  constexpr double kTerraceCells = 1.1;
  constexpr double kNarrowestTerraceM = 0.25;
  constexpr double kWidestTerraceM = 1.1;
  const double terrace_m = kTerraceCells * cell_m;
  if (ground.has_terracettes() && terrace_m > kNarrowestTerraceM && terrace_m <= kWidestTerraceM) {
    forms.terraces = {.planes = level.planes,
                      .stream = stream,
                      .cell = KernelFloat(level.cell_units),
                      .turn_a = turns.c,
                      .turn_b = turns.d,
                      .step = KernelFloat(ground.terracettes().step())};
  }
  if (ground.has_craters()) {
    forms.craters = {.planes = level.planes,
                     .stream = stream,
                     .cell = KernelFloat(level.cell_units),
                     .turn = turns.c,
                     .chance = KernelFloat(ground.craters().density()),
                     .depth = KernelFloat(ground.craters().depth())};
  }
  // Finer cells would only sharpen an edge that is sharp enough.
  constexpr double kFinestCliffM = 2;
  if (ground.has_coast() && cell_m >= kFinestCliffM) {
    constexpr double kCliffLengthM = 300;
    forms.coast = {.planes = level.planes,
                   .stream = stream,
                   .heights = FarLattice(kCliffLengthM, 2, level),
                   .sea_level = level.sea_level,
                   .height = KernelFloat(HeightUnits(ground.coast().height_m())),
                   .step = KernelFloat(ground.coast().step())};
  }
  return forms;
}

void RecordForms(const GroundForms& forms, Recorder& recorder) {
  const WindowRegion window = recorder.region();
  if (forms.coast) recorder.Dispatch(Kernel::kGroundCoast, *forms.coast, window);
  if (forms.craters) recorder.Dispatch(Kernel::kGroundCraters, *forms.craters, window);
  if (forms.terraces) recorder.Dispatch(Kernel::kGroundTerraces, *forms.terraces, window);
  for (const kernels::TrainParams& train : forms.trains) {
    recorder.Dispatch(Kernel::kGroundTrains, train, window);
  }
}

}  // namespace thalweg::stages
