#include "server/stages/rivers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "server/stages/host_math.h"
#include "server/stages/noise_lattice.h"

namespace thalweg::stages {
namespace {

constexpr std::uint32_t kRiversStream = 0x50000000;
// How many streams of random numbers one level's rivers have.
constexpr std::uint32_t kStreams = 5;
// The wavelength of displacements in cells. Longer ones would leave bends as straight as the grid's
// lines; shorter ones would make zigzags. Neighbouring levels are turned differently.
constexpr double kDisplacementCells = 12;
constexpr std::uint32_t kTurn = 3;
// Displacements shrink where a channel's area is a square of more cells than this on a side.
constexpr double kHillslopeCells = 4;
// The min slope of a way: 6 cm a km, as of a lowland river; and the min fall in height units, so
// that a parent's way of up to four steps falls at each.
constexpr int kDescentBits = 14;
constexpr int kMinDescent = 8;
// Ways of up to 2^n steps are followed in one dispatch, where sweeps are joined.
constexpr int kMaxJoinedBits = 3;
// How far in the window a parent's way is drawn from. It begins up to a cell beside its vertex of
// the parent, and takes up to three more to end a cell beside the next one's. Ground is a cubic
// through two parents on each side of a place that is up to one parent away.
constexpr int kDrawReach = 6;

// log2 of the slope of a channel that drains one cell, as a part of the angle of repose.
float LogSteepness(const v1::Rivers& rivers, double cell_m) {
  const float log_cell = kernels::logarithm(KernelFloat(cell_m));
  const float min = 1e-6f;
  const float repose = KernelFloat(TangentOfDegrees(rivers.repose_deg()));
  return kernels::logarithm(std::max(KernelFloat(rivers.steepness()), min)) -
         2.0f * KernelFloat(rivers.concavity()) * log_cell - kernels::logarithm(repose);
}

// The displacement in the parent's cells. It is smaller where cells are small against hillslopes:
// there the parent's ways need no bends. Rivers of real land come from its own grid.
double Displacement(const v1::Rivers& rivers, const LevelNumbers& level, double cell_m) {
  if (level.after_real_land > 0) return rivers.displacement();
  const double hillslope_m = std::sqrt(rivers.channel_area_m2()) / kHillslopeCells;
  return rivers.displacement() * std::min(1.0, cell_m / hillslope_m);
}

int FloorSteps(const kernels::RiversParams& params) {
  return params.floor_width > 0 ? kernels::kFloorSteps : 0;
}

// The code of an area, which is given in cells.
int AreaCode(double cells) {
  constexpr double kMax = 1e15;
  return kernels::areaCode(static_cast<std::uint64_t>(std::min(cells, kMax)));
}

// The plane of movers that has the cells that drain to each vertex, and the counter to add to it.
struct Drained {
  int plane = 0;
  int counter = 0;
};

// Counts the cells that drain to each vertex over 2^bits - 1 steps, by the receivers in a plane.
Drained RecordDrainage(int bits, const kernels::RiversParams& params, int plane,
                       Recorder& recorder) {
  const WindowRegion region = recorder.region();
  if (recorder.joins_sweeps() && bits <= kMaxJoinedBits) {
    const int to = 1 - plane;
    recorder.DispatchTiles(Kernel::kRiversGather, params, region, 1 << bits, (to << 7) | bits);
    return {.plane = to};
  }
  int counter = 0;
  for (int i = 0; i < bits; ++i, plane = 1 - plane, counter = 1 - counter) {
    recorder.Dispatch(Kernel::kRiversDrain, params, region, plane, counter);
  }
  return {plane, counter};
}

// Raises the ground by the rises of 2^bits steps, which a plane has one by one.
void RecordRise(int bits, const kernels::RiversParams& params, int plane, Recorder& recorder) {
  const WindowRegion region = recorder.region();
  if (recorder.joins_sweeps() && bits <= kMaxJoinedBits) {
    recorder.Dispatch(Kernel::kRiversRiseFar, params, region, plane, 1 << bits);
    return;
  }
  for (int i = 0; i < bits; ++i, plane = 1 - plane) {
    recorder.Dispatch(Kernel::kRiversClimb, params, region, plane);
  }
  recorder.Dispatch(Kernel::kRiversRise, params, region, plane);
}

// Lets ground that is too steep slide, and counts what the stage has changed.
void RecordSlides(int slides, const kernels::RiversParams& params, Recorder& recorder) {
  if (recorder.joins_sweeps() && slides > 0) {
    for (int left = slides; left > 0;) {
      const int sweeps = std::min(left, kernels::kMaxTileSweeps);
      left -= sweeps;
      recorder.DispatchTiles(Kernel::kRiversSettleTile, params, recorder.region().Inset(sweeps),
                             sweeps, left == 0 ? 1 : 0);
      recorder.SwapHeights();
      recorder.Shrink(sweeps);
    }
    return;
  }
  for (int i = 0; i < slides; ++i) {
    recorder.Dispatch(Kernel::kRiversSettle, params, recorder.region().Inset(1));
    recorder.SwapHeights();
    recorder.Shrink(1);
    recorder.Exchange(kernels::kSeamHeight);
  }
  recorder.Dispatch(Kernel::kRiversClose, params, recorder.region());
}

}  // namespace

RiversStage Compile(const v1::Rivers& rivers, const LevelNumbers& level) {
  const double cell_units = level.cell_units;
  const double cell_m = cell_units / HeightUnits(1);
  const int descent = std::max(kMinDescent, DescentOf(cell_units, kDescentBits));
  const double repose = TangentOfDegrees(rivers.repose_deg());
  Filling filling = OwnFilling(rivers.path(), rivers.fills(), 0, level);
  filling.params.step = descent;
  filling.params.roughness = descent >> 6;
  return {.filling = filling,
          .has_parent = !level.from_base,
          .parent_is_real = level.after_real_land == 1,
          .drain_bits = std::countr_zero(rivers.drainage()),
          .climb_bits = std::countr_zero(rivers.steps()),
          .slides = static_cast<int>(rivers.slides()),
          .params = {.lattice = NoiseLattice(level.on_sphere, kDisplacementCells,
                                             static_cast<std::uint32_t>(level.number) * kTurn,
                                             kRiversStream + kStreams * level.stream),
                     .displacement = KernelFloat(Displacement(rivers, level, cell_m) * 256),
                     .planes = level.planes,
                     .parent_side = 0,
                     .parent_size = 0,
                     .sea_level = level.sea_level,
                     .keep = AreaCode(rivers.keep()),
                     .wander = KernelFloat(rivers.wander()),
                     .descent = descent,
                     .log_steepness = LogSteepness(rivers, cell_m),
                     .concavity = KernelFloat(rivers.concavity()),
                     .repose = KernelFloat(repose * cell_units),
                     .crest = KernelFloat(rivers.crest_m() > 0 ? cell_m / rivers.crest_m() : 0),
                     .log_channel = kernels::logarithm(
                         KernelFloat(rivers.channel_area_m2() / (cell_m * cell_m))),
                     .creep = KernelFloat(rivers.creep()),
                     .floor_width = KernelFloat(rivers.floor_width() * rivers.floor_width()),
                     .trough = KernelFloat(rivers.trough())}};
}

// Surfaces sink one cell an iteration, and a receiver is found among neighbours (1). A vertex's
// area is counted at most 2^n - 1 steps up, its height at most 2^n steps down. The height of a
// vertex on the way depends on its area, and on those of the rivers below. Slides read neighbours.
int Reach(const RiversStage& stage) {
  const int found = stage.has_parent ? kDrawReach + stage.filling.fills : Reach(stage.filling);
  return found + 1 + ((1 << stage.drain_bits) - 1) + (1 << stage.climb_bits) +
         FloorSteps(stage.params) + stage.slides;
}

void Record(const RiversStage& stage, Recorder& recorder) {
  kernels::RiversParams params = stage.params;
  params.parent_side = stage.has_parent ? recorder.parent().side : 0;
  params.parent_size = recorder.parent().size;
  if (stage.has_parent) RecordTable(params.lattice, 2, recorder);
  recorder.Dispatch(Kernel::kRiversGround, params, recorder.region());
  int plane = 0;
  if (stage.has_parent) {
    const WindowRegion window = recorder.region();
    const WindowRegion parents{window.first >> 1, (window.last + 1) >> 1};
    recorder.SetLive(window);
    for (const int step : {0, 1}) {
      recorder.Dispatch(Kernel::kRiversTrace, params, parents, step, stage.parent_is_real ? 1 : 0);
    }
    recorder.Shrink(kDrawReach);
    recorder.Dispatch(Kernel::kRiversSurface, params, recorder.region());
    recorder.Exchange(kernels::kSeamMovers);
    plane = RecordFills(stage.filling, plane, recorder);
  } else {
    plane = Record(stage.filling, recorder);
  }
  // Followed ways do not shrink: they must end inside the window.
  const WindowRegion region = recorder.region();
  recorder.SetLive(region);
  recorder.Dispatch(Kernel::kRiversRoute, params, region, plane);
  plane = 1 - plane;
  const Drained drained = RecordDrainage(stage.drain_bits, params, plane, recorder);
  plane = drained.plane;
  recorder.Dispatch(Kernel::kRiversArea, params, region, plane, drained.counter);
  recorder.Exchange(kernels::kSeamWay | kernels::kSeamRiver);
  recorder.Dispatch(Kernel::kRiversSlope, params, region, plane);
  RecordRise(stage.climb_bits, params, plane, recorder);
  recorder.Exchange(kernels::kSeamHeight | kernels::kSeamDischarge);
  recorder.Shrink((1 << stage.drain_bits) + (1 << stage.climb_bits) + FloorSteps(params));
  RecordSlides(stage.slides, params, recorder);
}

LayerAccess AccessOf(const v1::Rivers& /*rivers*/, bool /*sea*/) {
  return {.reads = {}, .writes = {Layer::kWay}};
}

}  // namespace thalweg::stages
