#include "server/stages/snowball.h"

#include <gtest/gtest.h>

#include <utility>

#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

TEST(SnowballTest, Units) {
  const v1::Stage filled = Filled("snowball { density: 0.25 }");
  const SnowballStage stage = Compile(filled.snowball(), NumbersOf(256));
  EXPECT_EQ(stage.steps, 32);
  EXPECT_EQ(stage.ramp_q16, 6554);
  // A quarter of the cells have a snowball of 32 steps: a unit of traffic is 1/8 of a unit of flow.
  EXPECT_EQ(stage.traffic_q16, 8192);
  EXPECT_EQ(stage.params.births, 16384);
  EXPECT_EQ(stage.params.radius, 256);
  EXPECT_EQ(stage.params.grain_bits, 1);
  EXPECT_EQ(stage.params.grains_per_unit, 2.0f);
  EXPECT_EQ(stage.params.wishes_per_cell, 131072.0f);
  EXPECT_EQ(stage.params.stream, 7u);
}

TEST(SnowballTest, ReachGrowsWithTheOffset) {
  SnowballStage stage{.steps = 10};
  for (const auto& [radius, reach] : {std::pair{0, 21}, {1, 21}, {256, 21}, {257, 31}, {768, 41}}) {
    stage.params.radius = radius;
    EXPECT_EQ(Reach(stage), reach) << radius;
  }
}

}  // namespace
}  // namespace thalweg::stages
