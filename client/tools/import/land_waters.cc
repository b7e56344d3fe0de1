#include "client/tools/import/land_waters.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <utility>

#include "client/tools/survey/depressions.h"
#include "client/tools/survey/grid.h"
#include "client/tools/survey/statistics.h"

namespace thalweg::real_land {
namespace {

using survey::Drainage;
using survey::Flood;
using survey::Grid;
using survey::kOutlet;

// Slopes are measured over several steps, because heights are often rounded to metres.
constexpr int kStepsDown = 4;
constexpr int kMinChannel = 100;
// Min steepness of a law, for flat ground.
constexpr double kMinSlope = 1e-4;
constexpr double kSharpness = 2.5;
constexpr double kSteeperDeg = 15;

// Returns a random number for a cell (Steele, Lea & Flood 2014), 0 to 2^32 - 1.
std::uint32_t ChanceOf(std::int32_t cell) {
  std::uint64_t bits = static_cast<std::uint64_t>(cell) * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return static_cast<std::uint32_t>(bits >> 32);
}

// Lets each inner cell drain to the neighbour of steepest descent, after each fall is reduced by a
// random part of up to a half, as in shaders/kernels/rivers.glsl. Without this, even slopes would
// drain along the grid's eight directions.
void LetWaysWander(const Grid<double>& surface_m, Drainage& drainage) {
  constexpr double kDiagonal = 0.66;
  for (int y = 1; y + 1 < surface_m.height; ++y) {
    for (int x = 1; x + 1 < surface_m.width; ++x) {
      const std::size_t i = surface_m.Index(x, y);
      if (drainage.receiver[i] == kOutlet) continue;
      const auto cell = static_cast<std::int32_t>(i);
      const std::uint32_t chance = ChanceOf(cell);
      double steepest = 0;
      for (unsigned direction = 0; direction < survey::kSteps.size(); ++direction) {
        const survey::Step& step = survey::kSteps[direction];
        const double fall = surface_m.values[i] - surface_m.At(x + step.dx, y + step.dy);
        const double part = ((chance >> (4 * direction)) & 15u) / 32.0;
        const double weighed = fall * (step.length > 1 ? kDiagonal : 1) * (1 - part);
        if (weighed <= steepest) continue;
        steepest = weighed;
        drainage.receiver[i] = cell + survey::Offset(step, surface_m.width);
      }
    }
  }
}

// Returns the slope of the way over the next steps; 0 where the water ends at once.
double SlopeDown(const Grid<double>& ground_m, const Drainage& drainage, double cell_m,
                 std::int32_t cell) {
  std::int32_t at = cell;
  double length_m = 0;
  for (int step = 0; step < kStepsDown; ++step) {
    const std::int32_t next = drainage.receiver[static_cast<std::size_t>(at)];
    if (next == kOutlet) break;
    length_m += drainage.StepLength(at) * cell_m;
    at = next;
  }
  if (at == cell) return 0;
  const double fall_m = ground_m.values[static_cast<std::size_t>(cell)] -
                        ground_m.values[static_cast<std::size_t>(at)];
  return std::max(fall_m / length_m, kMinSlope);
}

double Degrees(double slope) { return std::atan(slope) * 180 / std::numbers::pi; }

using elevation::Sheet;

constexpr double kUnits = 65536;
// Depressions deeper than this part of a cell stay as they are.
constexpr double kDeepestFillCells = 0.25;
// Min fall of ways on filled ground: 6 cm per km, as in the rivers stage, and 8 units.
constexpr double kMinFallSlope = 1.0 / 16384;
constexpr std::int32_t kMinFall = 8;

std::vector<std::int32_t> UnitsOf(const Grid<double>& ground_m) {
  std::vector<std::int32_t> units;
  units.reserve(ground_m.values.size());
  for (const double height_m : ground_m.values) {
    const double held_m = std::clamp(height_m, -kHighestM, kHighestM);
    units.push_back(static_cast<std::int32_t>(std::floor(held_m * kUnits + 0.5)));
  }
  return units;
}

Grid<double> MetresOf(const elevation::SheetShape& shape, const std::vector<std::int32_t>& units) {
  Grid<double> ground_m{shape.width, shape.height, {}};
  ground_m.values.reserve(units.size());
  for (const std::int32_t height : units) ground_m.values.push_back(height / kUnits);
  return ground_m;
}

int DirectionTo(const Drainage& drainage, std::int32_t cell) {
  const std::int32_t receiver = drainage.receiver[static_cast<std::size_t>(cell)];
  if (receiver == survey::kOutlet) return elevation::kEnds;
  const auto found = std::ranges::find(survey::kSteps, receiver - cell, [&](const auto& step) {
    return survey::Offset(step, drainage.width);
  });
  return static_cast<int>(found - survey::kSteps.begin());
}

// Returns every 2^step-th vertex of the raster's ground.
std::vector<std::int32_t> EverySoManyth(const Sheet& raster, const elevation::SheetShape& shape,
                                        int step) {
  std::vector<std::int32_t> ground;
  ground.reserve(static_cast<std::size_t>(shape.width) * static_cast<std::size_t>(shape.height));
  for (int y = 0; y < shape.height; ++y) {
    for (int x = 0; x < shape.width; ++x) {
      const int column = ((shape.x0 + x) << step) - raster.shape.x0;
      const int row = ((shape.y0 + y) << step) - raster.shape.y0;
      ground.push_back(raster.planes[0][static_cast<std::size_t>(row) *
                                            static_cast<std::size_t>(raster.shape.width) +
                                        static_cast<std::size_t>(column)]);
    }
  }
  return ground;
}

void AddRivers(const Drainage& drainage, const std::vector<int>& codes, Sheet& sheet) {
  sheet.planes[1] = drainage.area;
  sheet.planes[2].reserve(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const int direction = DirectionTo(drainage, static_cast<std::int32_t>(i));
    sheet.planes[2].push_back(elevation::PackedWay(direction, codes[i]));
  }
}

void MeasureFill(const std::vector<std::int32_t>& before, const Sheet& after, int margin,
                 Land& land) {
  double squares = 0;
  std::int64_t cells = 0;
  std::size_t i = 0;
  for (int y = 0; y < after.shape.height; ++y) {
    for (int x = 0; x < after.shape.width; ++x, ++i) {
      const bool is_margin = std::min(x, y) < margin || x >= after.shape.width - margin ||
                             y >= after.shape.height - margin;
      if (is_margin) continue;
      const double filled_m = (after.planes[0][i] - before[i]) / kUnits;
      squares += filled_m * filled_m;
      ++cells;
      land.filled_max_m = std::max(land.filled_max_m, filled_m);
    }
  }
  land.filled_rms_m = std::sqrt(squares / static_cast<double>(cells));
}

constexpr std::size_t kMinCells = 100;
constexpr double kSlope = 0.02;
constexpr double kDeepestM = 30;
// Projections leave a flat sea flat but for the rounding of numbers.
constexpr double kLevelM = 1e-5;

enum class Kind : std::uint8_t { kLand, kFlat, kSea };

// Takes the connected flat of a cell for sea if it is large enough, else for land.
void Decide(std::size_t first, Grid<Kind>& kinds) {
  kinds.values[first] = Kind::kSea;
  const std::vector<std::size_t> flat =
      survey::RegionOf(kinds.width, kinds.height, first, [&kinds](std::size_t cell) {
        if (kinds.values[cell] != Kind::kFlat) return false;
        kinds.values[cell] = Kind::kSea;
        return true;
      });
  if (flat.size() >= kMinCells) return;
  for (const std::size_t cell : flat) kinds.values[cell] = Kind::kLand;
}

// Lets no cell of the sea be deeper than the slope allows from a neighbour on one side.
void FallFromShore(const Grid<Kind>& kinds, double cell_m, bool is_forward, Grid<double>& depth_m) {
  for (int row = 0; row < kinds.height; ++row) {
    const int y = is_forward ? row : kinds.height - 1 - row;
    for (int column = 0; column < kinds.width; ++column) {
      const int x = is_forward ? column : kinds.width - 1 - column;
      if (kinds.At(x, y) != Kind::kSea) continue;
      double& here_m = depth_m.At(x, y);
      for (const survey::Step& step : survey::kSteps) {
        const int to_x = x + step.dx;
        const int to_y = y + step.dy;
        if (!kinds.Contains(to_x, to_y)) continue;
        here_m = std::min(here_m, depth_m.At(to_x, to_y) + kSlope * step.length * cell_m);
      }
    }
  }
}

}  // namespace

Drainage DrainageOf(Grid<double> ground_m, std::optional<double> sea_level_m,
                    double deepest_fill_m) {
  // Water ends at ground below sea level, but not at ground exactly at sea level.
  const double lowest = -std::numeric_limits<double>::infinity();
  const double outlet = sea_level_m ? std::nextafter(*sea_level_m, lowest) : lowest;
  const std::vector<std::int32_t> pits = survey::DeepPits(ground_m, outlet, deepest_fill_m);
  Flood flood = FloodFromOutlets(std::move(ground_m), sea_level_m, pits);
  // On flats, water follows the flood's path backwards.
  Drainage drainage{.width = flood.surface_m.width,
                    .height = flood.surface_m.height,
                    .receiver = std::move(flood.source),
                    .order = std::move(flood.order),
                    .area = {},
                    .length = {}};
  LetWaysWander(flood.surface_m, drainage);
  flood.surface_m = {};
  Accumulate(drainage);
  drainage.length = std::vector<double>();
  return drainage;
}

void LetWaterFall(const Drainage& drainage, std::int32_t fall, std::vector<std::int32_t>& ground) {
  for (const std::int32_t cell : drainage.order) {
    const auto i = static_cast<std::size_t>(cell);
    const std::int32_t receiver = drainage.receiver[i];
    if (receiver == kOutlet) continue;
    ground[i] = std::max(ground[i], ground[static_cast<std::size_t>(receiver)] + fall);
  }
}

SlopeLaw FitSlopeLaw(const Grid<double>& ground_m, const Drainage& drainage, double cell_m,
                     int margin) {
  SlopeLaw law;
  std::vector<double> channels;
  std::vector<double> steps;
  steps.reserve(drainage.receiver.size());
  for (int y = margin; y < ground_m.height - margin; ++y) {
    for (int x = margin; x < ground_m.width - margin; ++x) {
      const std::size_t i = ground_m.Index(x, y);
      const std::int32_t receiver = drainage.receiver[i];
      if (receiver == kOutlet) continue;
      const auto cell = static_cast<std::int32_t>(i);
      steps.push_back((ground_m.values[i] - ground_m.values[static_cast<std::size_t>(receiver)]) /
                      (drainage.StepLength(cell) * cell_m));
      const int area = drainage.area[i];
      if (area < kMinChannel) continue;
      channels.push_back(SlopeDown(ground_m, drainage, cell_m, cell) *
                         std::pow(area * cell_m * cell_m, law.concavity));
    }
  }
  constexpr double kMax = 0.98;
  if (!steps.empty()) {
    law.repose_deg = std::clamp(std::round(Degrees(survey::Quantile(steps, kMax))), 25.0, 50.0);
  }
  law.steepest_deg = law.repose_deg + kSteeperDeg;
  if (!channels.empty()) {
    law.steepness = std::clamp(std::round(10 * survey::Quantile(channels, 0.5)) / 10, 0.1, 1000.0);
  }
  return law;
}

std::vector<int> SteepnessCodes(const Grid<double>& ground_m, const Drainage& drainage,
                                double cell_m, const SlopeLaw& law) {
  const double repose = std::tan(law.steepest_deg * std::numbers::pi / 180);
  std::vector<int> codes(drainage.receiver.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const double slope =
        SlopeDown(ground_m, drainage, cell_m, static_cast<std::int32_t>(i)) / repose;
    const double lawful =
        law.steepness * std::pow(drainage.area[i] * cell_m * cell_m, -law.concavity) / repose;
    // The law's slope s is limited to (s^-2.5 + 1)^-0.4 of the angle of repose: see
    // shaders/kernels/rivers.glsl.
    double factor = 256;
    if (slope <= 0) factor = 1;
    if (slope > 0 && slope < 1) {
      factor = std::pow(std::pow(slope, -kSharpness) - 1, -1 / kSharpness) / lawful;
    }
    const double octaves = std::log2(std::clamp(factor, 1.0 / 256, 256.0));
    codes[i] = std::clamp(128 + static_cast<int>(std::floor(16 * octaves + 0.5)), 1, 255);
  }
  return codes;
}

Land LandOf(Grid<double> ground_m, int margin, double cell_m, int steps,
            std::optional<double> sea_level_m, const std::function<void(int step)>& progress) {
  Land land;
  const int width = ground_m.width;
  const int height = ground_m.height;
  for (int step = 0; step <= steps; ++step) {
    if (progress) progress(step);
    const double sheet_cell_m = std::ldexp(cell_m, step);
    Sheet sheet{.shape = elevation::ShapeOfSheet(width, height, step), .planes = {}};
    std::vector<std::int32_t>& heights = sheet.planes[0];
    heights = step == 0 ? UnitsOf(ground_m) : EverySoManyth(land.sheets.front(), sheet.shape, step);
    if (step == 0) ground_m = {};
    const Drainage drainage =
        DrainageOf(MetresOf(sheet.shape, heights), sea_level_m, kDeepestFillCells * sheet_cell_m);
    if (step == 0) {
      const std::vector<std::int32_t> before = heights;
      const double fall = std::floor(sheet_cell_m * kUnits * kMinFallSlope);
      LetWaterFall(drainage, std::max(static_cast<std::int32_t>(fall), kMinFall), heights);
      MeasureFill(before, sheet, margin, land);
    }
    const Grid<double> sheet_m = MetresOf(sheet.shape, heights);
    if (step == 0) {
      land.law = FitSlopeLaw(sheet_m, drainage, sheet_cell_m, margin);
    }
    AddRivers(drainage, SteepnessCodes(sheet_m, drainage, sheet_cell_m, land.law), sheet);
    land.sheets.push_back(std::move(sheet));
  }
  return land;
}

std::int64_t MakeSeaFloor(Grid<double>& ground_m, double cell_m, double sea_level_m) {
  Grid<Kind> kinds = survey::FilledGrid(ground_m.width, ground_m.height, Kind::kLand);
  for (std::size_t i = 0; i < kinds.values.size(); ++i) {
    if (std::abs(ground_m.values[i] - sea_level_m) <= kLevelM) kinds.values[i] = Kind::kFlat;
  }
  for (std::size_t i = 0; i < kinds.values.size(); ++i) {
    if (kinds.values[i] == Kind::kFlat) Decide(i, kinds);
  }
  const auto cells = std::ranges::count(kinds.values, Kind::kSea);
  if (cells == 0) return 0;
  Grid<double> depth_m = survey::FilledGrid(ground_m.width, ground_m.height, 0.0);
  for (std::size_t i = 0; i < kinds.values.size(); ++i) {
    if (kinds.values[i] == Kind::kSea) depth_m.values[i] = kDeepestM;
  }
  FallFromShore(kinds, cell_m, true, depth_m);
  FallFromShore(kinds, cell_m, false, depth_m);
  for (std::size_t i = 0; i < kinds.values.size(); ++i) {
    if (kinds.values[i] == Kind::kSea) ground_m.values[i] = sea_level_m - depth_m.values[i];
  }
  return cells;
}

}  // namespace thalweg::real_land
