// Raises the ground by the height that the level lost, smoothed.
#pragma once

#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "shaders/kernels/rebound.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

struct ReboundStage {
  kernels::ReboundParams params{};
};

ReboundStage Compile(const v1::Rebound& rebound, const LevelNumbers& level);
int Reach(const ReboundStage& stage);
void Record(const ReboundStage& stage, Recorder& recorder);

}  // namespace thalweg::stages
