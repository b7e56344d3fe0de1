#include "server/stages/shore.h"

#include <gtest/gtest.h>

#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

TEST(ShoreTest, UnitsAndReach) {
  const ShoreStage stage = Compile(Filled("shore { radius: 20 }").shore(), NumbersOf(512));
  EXPECT_EQ(stage.params.sea_level, 131072);
  EXPECT_EQ(Reach(stage), 20);
}

TEST(ShoreTest, ReadsWaterWithoutASea) {
  const v1::Stage filled = Filled("shore { }");
  EXPECT_EQ(AccessOf(filled.shore(), true).reads, LayerSet());
  EXPECT_EQ(AccessOf(filled.shore(), false).reads, LayerSet{Layer::kWater});
  EXPECT_EQ(AccessOf(filled.shore(), true).writes, LayerSet{Layer::kShore});
}

}  // namespace
}  // namespace thalweg::stages
