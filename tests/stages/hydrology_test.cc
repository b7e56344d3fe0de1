#include "server/stages/hydrology.h"

#include <gtest/gtest.h>

#include "server/stages/droplet.h"
#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

TEST(HydrologyTest, Units) {
  const v1::Stage filled =
      Filled("hydrology { rain { friction: 0.25 density: 0.5 } stream_scale: 2 drain_loss: 0.75 }");
  const HydrologyStage stage = Compile(filled.hydrology(), NumbersOf(256));
  EXPECT_EQ(stage.steps, 24);
  EXPECT_EQ(stage.rain.density, 32768u);
  EXPECT_EQ(stage.rain.stream, 7u);
  EXPECT_EQ(stage.move.inverse_cell, 1.0f / 16777216.0f);
  EXPECT_EQ(stage.move.friction, 0.25f);
  EXPECT_EQ(stage.move.inverse_stream_scale, 1.0f / 512.0f);
  EXPECT_EQ(stage.move.sea_level, 131072);
  EXPECT_EQ(stage.settle.drain_loss, 768);
  EXPECT_EQ(stage.settle.bed.grain_bits, 1);
  EXPECT_EQ(stage.settle.bed.capacity, 2.0f / 128.0f);
}

// Hydrology's rain has the same numbers as a stage of droplets.
TEST(HydrologyTest, RainEqualsThatOfDroplets) {
  const v1::Stage hydrology = Filled("hydrology { }");
  const v1::Stage droplet = Filled("droplet { }");
  const HydrologyStage stage = Compile(hydrology.hydrology(), NumbersOf(256));
  const DropletStage rain = Compile(droplet.droplet(), NumbersOf(256));
  EXPECT_EQ(stage.steps, rain.steps);
  EXPECT_EQ(stage.rain.density, rain.params.density);
  EXPECT_EQ(stage.rain.gathered, rain.params.gathered);
  EXPECT_EQ(stage.move.inertia, rain.params.inertia);
  EXPECT_EQ(stage.settle.bed.erosion, rain.params.erosion);
  EXPECT_EQ(stage.settle.bed.limit, rain.params.limit);
}

TEST(HydrologyTest, HasTheReachOfDroplets) { EXPECT_EQ(Reach(HydrologyStage{.steps = 24}), 49); }

TEST(HydrologyTest, ReadsWaterWithoutASeaAndPlantsIfTheyHold) {
  const v1::Stage bare = Filled("hydrology { }");
  EXPECT_EQ(AccessOf(bare.hydrology(), true).reads, LayerSet());
  EXPECT_EQ(AccessOf(bare.hydrology(), false).reads, LayerSet{Layer::kWater});
  const v1::Stage held = Filled("hydrology { plant_hold: 0.5 }");
  EXPECT_EQ(AccessOf(held.hydrology(), true).reads, LayerSet{Layer::kVegetation});
  EXPECT_EQ(AccessOf(held.hydrology(), false).reads, (LayerSet{Layer::kWater, Layer::kVegetation}));
}

}  // namespace
}  // namespace thalweg::stages
