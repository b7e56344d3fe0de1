// What changes the ground in place, and what grows on it.
#include "server/backend/recorder.h"

namespace thalweg::backend {

void Recorder::Add(const world::ThermalStage& stage) {
  Begin("thermal");
  for (int i = 0; i < stage.iterations; ++i) {
    Dispatch(Kernel::kThermalSlide, stage.params, region_.Inset(1));
    Dispatch(Kernel::kThermalApply, stage.params, region_.Inset(options_.shrink_window ? 2 : 1));
    Shrink(2);
  }
}

void Recorder::Add(const world::ReboundStage& stage) {
  Begin("rebound");
  const Region inner = region_.Inset(stage.params.radius - 1);
  Dispatch(Kernel::kReboundRows, stage.params, inner.first, region_.first, inner.last,
           region_.last);
  Dispatch(Kernel::kReboundColumns, stage.params, inner);
  Shrink(stage.params.radius - 1);
}

void Recorder::Blur(const kernels::BlurParams& params) {
  Dispatch(Kernel::kBlur, params, region_.Inset(1));
  SwapHeights();
  Shrink(1);
}

void Recorder::Add(const world::BlurStage& stage) {
  Begin("blur");
  for (int i = 0; i < stage.iterations; ++i) Blur(stage.params);
}

void Recorder::Add(const world::ShoreStage& stage) {
  Begin("shore");
  const Region inner = region_.Inset(stage.params.radius);
  Dispatch(Kernel::kShoreRows, stage.params, inner.first, region_.first, inner.last, region_.last);
  Dispatch(Kernel::kShoreColumns, stage.params, inner);
  Shrink(stage.params.radius);
}

void Recorder::Add(const world::VegetationStage& stage) {
  Begin("vegetation");
  Dispatch(Kernel::kVegetationBegin, stage.params, region_.Inset(1));
  Shrink(1);
  int plane = 0;
  for (int i = 0; i < stage.iterations; ++i) {
    Dispatch(Kernel::kVegetationGrow, stage.params, region_.Inset(1), plane, i);
    plane = 1 - plane;
    Shrink(1);
  }
  Dispatch(Kernel::kVegetationClose, stage.params, region_, plane);
}

}  // namespace thalweg::backend
