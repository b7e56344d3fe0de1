// The relief that rivers make in the long run.
#pragma once

#include "server/stages/filling.h"
#include "server/stages/layer.h"
#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "shaders/kernels/rivers.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

struct RiversStage {
  // Levels that start from the base find ways with it; others use only its iterations.
  Filling filling;
  bool has_parent = false;
  bool parent_is_real = false;
  int drain_bits = 0;  // cells are counted over 2^n steps
  int climb_bits = 0;  // rises are summed over 2^n steps
  int slides = 0;
  kernels::RiversParams params{};
};

RiversStage Compile(const v1::Rivers& rivers, const LevelNumbers& level);
int Reach(const RiversStage& stage);
void Record(const RiversStage& stage, Recorder& recorder);
LayerAccess AccessOf(const v1::Rivers& rivers, bool sea);

}  // namespace thalweg::stages
