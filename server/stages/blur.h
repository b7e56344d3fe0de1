// The binomial filter, as flows.
#pragma once

#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "shaders/kernels/blur.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

struct BlurStage {
  int iterations = 0;
  kernels::BlurParams params{};
};

BlurStage Compile(const v1::Blur& blur, const LevelNumbers& level);
int Reach(const BlurStage& stage);
void Record(const BlurStage& stage, Recorder& recorder);

// One filtering, for other stages: strength as in v1::Blur. It reaches one cell.
kernels::BlurParams BlurOf(double strength);
void RecordBlur(const kernels::BlurParams& params, Recorder& recorder);

}  // namespace thalweg::stages
