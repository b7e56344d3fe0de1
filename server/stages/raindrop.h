// Drops that move from vertex to vertex, and a wind.
#pragma once

#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "shaders/kernels/blur.glsl"
#include "shaders/kernels/raindrop.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

struct RaindropStage {
  int steps = 0;
  int wind_period = 0;  // 0: no wind
  int traffic_q16 = 0;  // the flow of a unit of traffic, in 1/65,536
  kernels::RaindropParams params{};
  kernels::BlurParams wind{};
};

RaindropStage Compile(const v1::Raindrop& raindrop, const LevelNumbers& level);
int Reach(const RaindropStage& stage);
void Record(const RaindropStage& stage, Recorder& recorder);

}  // namespace thalweg::stages
