#include "server/stages/silt.h"

namespace thalweg::stages {

SiltStage Compile(const v1::Silt& silt, const LevelNumbers& level) {
  return {InheritedFilling(silt, silt.depth(), level)};
}

int Reach(const SiltStage& stage) { return Reach(stage.filling); }

void Record(const SiltStage& stage, Recorder& recorder) { RecordPools(stage.filling, recorder); }

}  // namespace thalweg::stages
