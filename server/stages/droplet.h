// Rain: droplets that erode, carry and deposit.
#pragma once

#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "shaders/kernels/droplet.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

struct DropletStage {
  int steps = 0;
  int evaporation_q16 = 0;  // the part of the water that a step takes, in 1/65,536
  kernels::DropletParams params{};
};

DropletStage Compile(const v1::Droplet& droplet, const LevelNumbers& level);
int Reach(const DropletStage& stage);
void Record(const DropletStage& stage, Recorder& recorder);

}  // namespace thalweg::stages
