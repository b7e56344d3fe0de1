// Ground that stands high over a neighbour crumbles onto it.
#pragma once

#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "shaders/kernels/frost.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

struct FrostStage {
  int iterations = 0;
  kernels::FrostParams params{};
};

FrostStage Compile(const v1::Frost& frost, const LevelNumbers& level);
int Reach(const FrostStage& stage);
void Record(const FrostStage& stage, Recorder& recorder);

}  // namespace thalweg::stages
