// Droplets that find streams, lakes and plants. They start, land and close like rain's, but with
// water of their own.
#pragma once

#include "server/stages/layer.h"
#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "shaders/kernels/droplet.glsl"
#include "shaders/kernels/hydrology.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

struct HydrologyStage {
  int steps = 0;
  kernels::DropletParams rain{};  // how droplets start and end
  kernels::HydrologyMoveParams move{};
  kernels::HydrologySettleParams settle{};
};

HydrologyStage Compile(const v1::Hydrology& hydrology, const LevelNumbers& level);
LayerAccess AccessOf(const v1::Hydrology& hydrology, bool sea);
int Reach(const HydrologyStage& stage);
void Record(const HydrologyStage& stage, Recorder& recorder);

}  // namespace thalweg::stages
