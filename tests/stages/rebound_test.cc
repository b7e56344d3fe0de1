#include "server/stages/rebound.h"

#include <gtest/gtest.h>

#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

TEST(ReboundTest, UnitsAndReach) {
  const ReboundStage stage = Compile(Filled("rebound { }").rebound(), NumbersOf(512));
  EXPECT_EQ(stage.params.radius, 8);
  EXPECT_EQ(stage.params.radius_bits, 3);
  EXPECT_EQ(stage.params.strength, 65536);
  EXPECT_EQ(Reach(stage), 7);
}

}  // namespace
}  // namespace thalweg::stages
