#include "server/stages/blur.h"

#include "server/stages/host_math.h"

namespace thalweg::stages {

BlurStage Compile(const v1::Blur& blur, const LevelNumbers& /*level*/) {
  return {.iterations = static_cast<int>(blur.iterations()), .params = BlurOf(blur.strength())};
}

// Each iteration reads the vertex's neighbours.
int Reach(const BlurStage& stage) { return stage.iterations; }

void Record(const BlurStage& stage, Recorder& recorder) {
  for (int i = 0; i < stage.iterations; ++i) RecordBlur(stage.params, recorder);
}

kernels::BlurParams BlurOf(double strength) {
  return {.straight = RoundedInt(strength * kWholeQ16 / 8),
          .diagonal = RoundedInt(strength * kWholeQ16 / 16)};
}

void RecordBlur(const kernels::BlurParams& params, Recorder& recorder) {
  recorder.Dispatch(Kernel::kBlur, params, recorder.region().Inset(1));
  recorder.SwapHeights();
  recorder.Shrink(1);
  recorder.Exchange(kernels::kSeamHeight);
}

}  // namespace thalweg::stages
