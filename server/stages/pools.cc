#include "server/stages/pools.h"

namespace thalweg::stages {

PoolsStage Compile(const v1::Pools& pools, const LevelNumbers& level) {
  PoolsStage stage{OwnFilling(pools.path(), pools.fills(), pools.silt(), level)};
  stage.filling.params.lakes = 1;
  return stage;
}

LayerAccess AccessOf(const v1::Pools& /*pools*/, bool /*sea*/) {
  return {.reads = {}, .writes = {Layer::kWater}};
}

int Reach(const PoolsStage& stage) { return Reach(stage.filling); }

void Record(const PoolsStage& stage, Recorder& recorder) { RecordPools(stage.filling, recorder); }

}  // namespace thalweg::stages
