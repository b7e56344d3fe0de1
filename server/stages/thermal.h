// Slopes above the angle of repose slide.
#pragma once

#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "shaders/kernels/thermal.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

struct ThermalStage {
  int iterations = 0;
  kernels::ThermalParams params{};
};

ThermalStage Compile(const v1::Thermal& thermal, const LevelNumbers& level);
int Reach(const ThermalStage& stage);
void Record(const ThermalStage& stage, Recorder& recorder);

}  // namespace thalweg::stages
