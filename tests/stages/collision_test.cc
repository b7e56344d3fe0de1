#include "server/stages/collision.h"

#include <gtest/gtest.h>

#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

TEST(CollisionTest, Units) {
  const v1::Stage filled = Filled("collision { friction: 0.75 capacity: 0.5 soil_m: 3 }");
  const CollisionStage stage = Compile(filled.collision(), NumbersOf(256));
  EXPECT_EQ(stage.steps, 24);
  EXPECT_EQ(stage.move.kept_speed, 0.5f);
  EXPECT_EQ(stage.move.capacity, 16777216.0f);
  EXPECT_EQ(stage.move.soil, 196608);
  EXPECT_EQ(stage.settle.grain_bits, 1);
  EXPECT_EQ(stage.settle.grains_per_cell, 33554432.0f);
}

TEST(CollisionTest, HasTheReachOfDroplets) { EXPECT_EQ(Reach(CollisionStage{.steps = 24}), 49); }

}  // namespace
}  // namespace thalweg::stages
