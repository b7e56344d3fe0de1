// The offset to the nearest vertex on the other side of a shore: land or water.
#pragma once

#include "server/stages/layer.h"
#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "shaders/kernels/shore.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

struct ShoreStage {
  kernels::ShoreParams params{};
};

ShoreStage Compile(const v1::Shore& shore, const LevelNumbers& level);
LayerAccess AccessOf(const v1::Shore& shore, bool sea);
int Reach(const ShoreStage& stage);
void Record(const ShoreStage& stage, Recorder& recorder);

}  // namespace thalweg::stages
