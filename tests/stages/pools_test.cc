#include "server/stages/pools.h"

#include <gtest/gtest.h>

#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

TEST(PoolsTest, UnitsAndReach) {
  const v1::Stage filled = Filled("pools { path: 8 fills: 16 silt: 0.5 }");
  for (const int level : {0, 5}) {
    const PoolsStage stage = Compile(filled.pools(), NumbersOf(512, level));
    // Each level finds its lakes by itself.
    EXPECT_FALSE(stage.filling.freeboard.has_value());
    EXPECT_EQ(stage.filling.trace_bits, 3);
    EXPECT_EQ(stage.filling.params.lakes, 1);
    EXPECT_EQ(stage.filling.params.silt, 16777216);
    EXPECT_EQ(stage.filling.params.sea_level, 131072);
    EXPECT_EQ(Reach(stage), 9 + 16);
  }
}

TEST(PoolsTest, MakesWater) {
  EXPECT_EQ(AccessOf(Filled("pools { }").pools(), false).writes, LayerSet{Layer::kWater});
}

}  // namespace
}  // namespace thalweg::stages
