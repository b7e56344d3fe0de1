// Particles that collide with hard and soft ground.
#pragma once

#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "shaders/kernels/collision.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

struct CollisionStage {
  int steps = 0;
  kernels::CollisionMoveParams move{};
  kernels::CollisionSettleParams settle{};
};

CollisionStage Compile(const v1::Collision& collision, const LevelNumbers& level);
int Reach(const CollisionStage& stage);
void Record(const CollisionStage& stage, Recorder& recorder);

}  // namespace thalweg::stages
