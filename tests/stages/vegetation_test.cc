#include "server/stages/vegetation.h"

#include <gtest/gtest.h>

#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

TEST(VegetationTest, Units) {
  const v1::Stage bare =
      Filled("vegetation { spawn_slope_deg: 45 death_flow: 3 spawn_chance: 0.25 }");
  const VegetationStage stage = Compile(bare.vegetation(), NumbersOf(512));
  EXPECT_FLOAT_EQ(stage.params.spawn_slope2, 1.0f);
  EXPECT_EQ(stage.params.death_flow, 768);
  EXPECT_EQ(stage.params.spawn_chance, 4194304u);
  EXPECT_EQ(stage.params.inverse_band, 0.0f);
}

TEST(VegetationTest, ATreeLineHasABand) {
  const v1::Stage lined = Filled("vegetation { tree_line_m: 2 tree_line_band_m: 4 }");
  const VegetationStage stage = Compile(lined.vegetation(), NumbersOf(512));
  EXPECT_EQ(stage.params.tree_line, 131072);
  EXPECT_EQ(stage.params.inverse_band, 1.0f / 262144.0f);
}

TEST(VegetationTest, ReachesACellAnIterationAndOneMore) {
  EXPECT_EQ(Reach(VegetationStage{.iterations = 8}), 9);
}

TEST(VegetationTest, MakesPlants) {
  const v1::Stage filled = Filled("vegetation { }");
  EXPECT_EQ(AccessOf(filled.vegetation(), false).reads, LayerSet());
  EXPECT_EQ(AccessOf(filled.vegetation(), false).writes, LayerSet{Layer::kVegetation});
}

}  // namespace
}  // namespace thalweg::stages
