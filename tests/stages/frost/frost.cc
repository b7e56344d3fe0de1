#include "server/stages/frost.h"

#include "server/stages/host_math.h"

namespace thalweg::stages {

FrostStage Compile(const v1::Frost& frost, const LevelNumbers& level) {
  return {.iterations = static_cast<int>(frost.iterations()),
          .params = {.ledge = RoundedInt(frost.ledge() * level.cell_units),
                     .part = RoundedInt(frost.strength() * kWholeQ16 / 16)}};
}

// Each iteration reads the vertex's neighbours.
int Reach(const FrostStage& stage) { return stage.iterations; }

void Record(const FrostStage& stage, Recorder& recorder) {
  for (int i = 0; i < stage.iterations; ++i) {
    recorder.Dispatch(Kernel::kFrost, stage.params, recorder.region().Inset(1));
    recorder.SwapHeights();
    recorder.Shrink(1);
    recorder.Exchange(kernels::kSeamHeight);
  }
}

}  // namespace thalweg::stages
