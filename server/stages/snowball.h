// Snowballs that roll by the normal beside them.
#pragma once

#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "shaders/kernels/snowball.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

struct SnowballStage {
  int steps = 0;
  int ramp_q16 = 0;     // the part of the digging that a step adds, in 1/65,536
  int traffic_q16 = 0;  // the flow of a unit of traffic, in 1/65,536
  kernels::SnowballParams params{};
};

SnowballStage Compile(const v1::Snowball& snowball, const LevelNumbers& level);
int Reach(const SnowballStage& stage);
void Record(const SnowballStage& stage, Recorder& recorder);

}  // namespace thalweg::stages
