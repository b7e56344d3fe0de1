// Depressions that fill with silt.
#pragma once

#include "server/stages/filling.h"
#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

struct SiltStage {
  Filling filling;
};

SiltStage Compile(const v1::Silt& silt, const LevelNumbers& level);
int Reach(const SiltStage& stage);
void Record(const SiltStage& stage, Recorder& recorder);

}  // namespace thalweg::stages
