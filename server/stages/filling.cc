#include "server/stages/filling.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace thalweg::stages {
namespace {

// Finds the pits that catch water and begins the surfaces over them. Returns their plane.
int BeginFill(const Filling& filling, Recorder& recorder) {
  const WindowRegion region = recorder.region();
  // Followed paths do not shrink: they must end inside the window.
  recorder.SetLive(region);
  recorder.Dispatch(Kernel::kPoolsTraceBegin, filling.params, region);
  int plane = 0;
  for (int i = 0; i < filling.trace_bits; ++i, plane = 1 - plane) {
    recorder.Dispatch(Kernel::kPoolsTrace, filling.params, region, plane);
  }
  recorder.Dispatch(Kernel::kPoolsFillBegin, filling.params, region, plane);
  recorder.Shrink((1 << filling.trace_bits) + 1);
  recorder.Exchange(MoversIn(1 - plane));
  return 1 - plane;
}

// Begins the surfaces from the parent's instead. Returns their plane.
int InheritSurface(const Filling& filling, Recorder& recorder) {
  kernels::InheritedSurfaceParams params{};
  params.freeboard = *filling.freeboard;
  params.sea_level = filling.params.sea_level;
  params.step = filling.params.step;
  params.roughness = filling.params.roughness;
  params.stream = filling.params.stream;
  params.planes = filling.params.planes;
  params.parent_side = recorder.parent().side;
  params.parent_size = recorder.parent().size;
  recorder.Dispatch(Kernel::kPoolsInherit, params, recorder.region());
  recorder.Exchange(MoversIn(0));
  return 0;
}

}  // namespace

int DescentOf(double cell_units, int bits) {
  constexpr double kMax = 1 << 20;
  return static_cast<int>(std::min(std::ldexp(cell_units, -bits), kMax));
}

Filling OwnFilling(std::uint32_t path, std::uint32_t fills, double silt,
                   const LevelNumbers& level) {
  Filling filling;
  filling.trace_bits = std::countr_zero(path);
  filling.fills = static_cast<int>(fills);
  filling.params.sea_level = level.sea_level;
  filling.params.silt = HeldThickness(silt * level.cell_units);
  filling.params.step = 1;
  filling.params.stream = kFillingStream + level.stream;
  filling.params.planes = level.planes;
  return filling;
}

// A path of 2^n steps ends at most 2^n cells away. Whether it ends in a pit depends on the
// neighbours of its end: 2^n + 1. The parent's surface has no reach, since it is not of this level.
// Each iteration reads the neighbours' surfaces: 1.
int Reach(const Filling& filling) {
  return (filling.freeboard ? 0 : (1 << filling.trace_bits) + 1) + filling.fills;
}

int Record(const Filling& filling, Recorder& recorder) {
  const int plane =
      filling.freeboard ? InheritSurface(filling, recorder) : BeginFill(filling, recorder);
  return RecordFills(filling, plane, recorder);
}

int RecordFills(const Filling& filling, int plane, Recorder& recorder) {
  if (recorder.joins_sweeps()) {
    for (int left = filling.fills; left > 0; plane = 1 - plane) {
      const int sweeps = std::min(left, kernels::kMaxTileSweeps);
      left -= sweeps;
      recorder.DispatchTiles(Kernel::kPoolsFillTile, filling.params,
                             recorder.region().Inset(sweeps), sweeps, plane);
      recorder.Shrink(sweeps);
    }
    return plane;
  }
  for (int i = 0; i < filling.fills; ++i, plane = 1 - plane) {
    const WindowRegion region = recorder.region().Inset(1);
    const int strips = (region.last - region.first) / kernels::kFillRows;
    recorder.Dispatch(Kernel::kPoolsFill, filling.params, region,
                      {region.first, region.first + strips}, plane, region.last);
    recorder.SetRowHeight(kernels::kFillRows);
    recorder.Shrink(1);
    recorder.Exchange(MoversIn(1 - plane), i + 1 < filling.fills ? 1 : Recorder::kSeamReach);
  }
  return plane;
}

void RecordPools(const Filling& filling, Recorder& recorder) {
  const int plane = Record(filling, recorder);
  recorder.Dispatch(Kernel::kPoolsClose, filling.params, recorder.region(), plane);
  recorder.Exchange(kernels::kSeamHeight);
}

}  // namespace thalweg::stages
