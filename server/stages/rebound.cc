#include "server/stages/rebound.h"

#include <bit>

#include "server/stages/host_math.h"

namespace thalweg::stages {

ReboundStage Compile(const v1::Rebound& rebound, const LevelNumbers& /*level*/) {
  return {.params = {.radius = static_cast<int>(rebound.radius()),
                     .radius_bits = std::countr_zero(rebound.radius()),
                     .strength = RoundedInt(rebound.strength() * kWholeQ16)}};
}

// The filter's taps are less than a radius away along each axis.
int Reach(const ReboundStage& stage) { return stage.params.radius - 1; }

void Record(const ReboundStage& stage, Recorder& recorder) {
  const WindowRegion inner = recorder.Inner(Reach(stage));
  recorder.Dispatch(Kernel::kReboundRows, stage.params, inner, recorder.region());
  recorder.Dispatch(Kernel::kReboundColumns, stage.params, inner);
  recorder.SwapHeights();
  recorder.Shrink(Reach(stage));
  recorder.Exchange(kernels::kSeamHeight);
}

}  // namespace thalweg::stages
