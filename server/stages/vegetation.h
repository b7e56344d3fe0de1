// Plants that spawn, spread and die.
#pragma once

#include "server/stages/layer.h"
#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "shaders/kernels/vegetation.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

struct VegetationStage {
  int iterations = 0;
  kernels::VegetationParams params{};
};

VegetationStage Compile(const v1::Vegetation& vegetation, const LevelNumbers& level);
LayerAccess AccessOf(const v1::Vegetation& vegetation, bool sea);
int Reach(const VegetationStage& stage);
void Record(const VegetationStage& stage, Recorder& recorder);

}  // namespace thalweg::stages
