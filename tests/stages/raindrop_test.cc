#include "server/stages/raindrop.h"

#include <gtest/gtest.h>

#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

TEST(RaindropTest, Units) {
  const RaindropStage stage = Compile(Filled("raindrop { wind: 1 }").raindrop(), NumbersOf(512));
  EXPECT_EQ(stage.wind.straight, 8192);
  EXPECT_EQ(stage.wind.diagonal, 4096);
  EXPECT_EQ(stage.params.wishes_per_cell, 131072.0f);
  EXPECT_EQ(stage.params.cells_per_parcel, 1024.0f / 33554432.0f);
}

TEST(RaindropTest, ReachGrowsWithEachWind) {
  EXPECT_EQ(Reach(RaindropStage{.steps = 10}), 28);
  EXPECT_EQ(Reach(RaindropStage{.steps = 10, .wind_period = 11}), 28);
  EXPECT_EQ(Reach(RaindropStage{.steps = 10, .wind_period = 5}), 30);
}

}  // namespace
}  // namespace thalweg::stages
