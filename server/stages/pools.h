// Standing water: lakes.
#pragma once

#include "server/stages/filling.h"
#include "server/stages/layer.h"
#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

struct PoolsStage {
  Filling filling;
};

PoolsStage Compile(const v1::Pools& pools, const LevelNumbers& level);
LayerAccess AccessOf(const v1::Pools& pools, bool sea);
int Reach(const PoolsStage& stage);
void Record(const PoolsStage& stage, Recorder& recorder);

}  // namespace thalweg::stages
