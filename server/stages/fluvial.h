// Rivers that collect the water of their cells, and incise by stream power.
#pragma once

#include "server/stages/filling.h"
#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "shaders/kernels/fluvial.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

struct FluvialStage {
  Filling filling;
  int gathers = 0;  // how many cells drainage moves
  int iterations = 0;
  kernels::FluvialParams params{};
};

FluvialStage Compile(const v1::Fluvial& fluvial, const LevelNumbers& level);
int Reach(const FluvialStage& stage);
void Record(const FluvialStage& stage, Recorder& recorder);

}  // namespace thalweg::stages
