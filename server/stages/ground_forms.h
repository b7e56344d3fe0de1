// What the parts of `ground` that only some lands have do at one level.
#pragma once

#include <optional>
#include <vector>

#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "shaders/kernels/ground_forms.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

struct GroundForms {
  std::vector<kernels::TrainParams> trains;
  std::optional<kernels::TerraceParams> terraces;
  std::optional<kernels::CraterParams> craters;
  std::optional<kernels::CoastParams> coast;
};

// Each form has its size in metres, and is made by the level whose cells just resolve it; finer
// levels inherit it.
GroundForms FormsOf(const v1::Ground& ground, const LevelNumbers& level);
// Records the forms after the ground, while what ground_slopes left is there.
void RecordForms(const GroundForms& forms, Recorder& recorder);

}  // namespace thalweg::stages
