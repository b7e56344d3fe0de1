// Where water stands and runs: pools, silt and rivers.
#include "server/backend/recorder.h"

namespace thalweg::backend {

int Recorder::BeginFill(const world::PoolsStage& stage) {
  // Paths are not shrunk while they are followed: they must end inside the window.
  pass_.live_first = region_.first;
  pass_.live_last = region_.last;
  Dispatch(Kernel::kPoolsTraceBegin, stage.params, region_);
  int plane = 0;
  for (int i = 0; i < stage.trace_bits; ++i, plane = 1 - plane) {
    Dispatch(Kernel::kPoolsTrace, stage.params, region_, plane);
  }
  Dispatch(Kernel::kPoolsFillBegin, stage.params, region_, plane);
  Shrink((1 << stage.trace_bits) + 1);
  return 1 - plane;
}

int Recorder::InheritSurface(const world::PoolsStage& stage) {
  kernels::InheritedSurfaceParams params{};
  params.freeboard = *stage.freeboard;
  params.sea_level = stage.params.sea_level;
  params.step = stage.params.step;
  params.roughness = stage.params.roughness;
  params.stream = stage.params.stream;
  params.planes = stage.params.planes;
  params.parent_side = parent_.ResultSide();
  params.parent_size = ParentSize();
  Dispatch(Kernel::kPoolsInherit, params, region_);
  return 0;
}

int Recorder::Fill(const world::PoolsStage& stage) {
  int plane = stage.freeboard ? InheritSurface(stage) : BeginFill(stage);
  for (int i = 0; i < stage.fills; ++i, plane = 1 - plane) {
    Dispatch(Kernel::kPoolsFill, stage.params, region_.Inset(1), plane);
    Shrink(1);
  }
  return plane;
}

void Recorder::Add(const world::PoolsStage& stage) {
  Begin("pools");
  const int plane = Fill(stage);
  Dispatch(Kernel::kPoolsClose, stage.params, region_, plane);
}

void Recorder::Add(const world::FluvialStage& stage) {
  Begin("fluvial");
  int plane = Fill(stage.filling);
  Dispatch(Kernel::kFluvialRoute, stage.params, region_.Inset(1), plane);
  plane = 1 - plane;
  Shrink(1);
  for (int i = 0; i < stage.gathers; ++i, plane = 1 - plane) {
    Dispatch(Kernel::kFluvialGather, stage.params, region_.Inset(1), plane);
    SwapHeights();
    Shrink(1);
  }
  for (int i = 0; i < stage.iterations; ++i) {
    Dispatch(Kernel::kFluvialIncise, stage.params, region_.Inset(1), plane);
    SwapHeights();
    Shrink(1);
  }
  Dispatch(Kernel::kFluvialClose, stage.params, region_, plane);
}

}  // namespace thalweg::backend
