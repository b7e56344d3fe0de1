#include "server/stages/droplet.h"

#include <gtest/gtest.h>

#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

TEST(DropletTest, Units) {
  const v1::Stage filled = Filled("droplet { }");
  const DropletStage coarse = Compile(filled.droplet(), NumbersOf(512));
  EXPECT_EQ(coarse.steps, 24);
  EXPECT_EQ(coarse.evaporation_q16, 1311);
  EXPECT_EQ(coarse.params.inverse_cell, 1.0f / 33554432.0f);
  EXPECT_EQ(coarse.params.inertia, 0.1f);
  EXPECT_EQ(coarse.params.pull, 0.9f);
  EXPECT_EQ(coarse.params.kept_energy, 0.9f);
  EXPECT_EQ(coarse.params.capacity, 2.0f / 128.0f);
  EXPECT_EQ(coarse.params.grain_bits, 0);
  EXPECT_EQ(coarse.params.grains_per_cell, 33554432.0f);
  EXPECT_EQ(coarse.params.cells_per_parcel, 1024.0f / 33554432.0f);
  EXPECT_EQ(coarse.params.stream, 7u);
  const DropletStage fine = Compile(filled.droplet(), NumbersOf(512.0 / 65536));
  EXPECT_EQ(fine.params.grain_bits, 16);
  EXPECT_EQ(fine.params.grains_per_cell, 33554432.0f);
}

TEST(DropletTest, DensityGathersWater) {
  const DropletStage all = Compile(Filled("droplet { }").droplet(), NumbersOf(512));
  EXPECT_EQ(all.params.density, 65536u);
  EXPECT_EQ(all.params.gathered, 1.0f);
  const DropletStage quarter =
      Compile(Filled("droplet { density: 0.25 }").droplet(), NumbersOf(512));
  EXPECT_EQ(quarter.params.density, 16384u);
  EXPECT_EQ(quarter.params.gathered, 4.0f);
}

TEST(DropletTest, ReachesTwoCellsAStepAndOneMore) {
  EXPECT_EQ(Reach(DropletStage{.steps = 24}), 49);
}

}  // namespace
}  // namespace thalweg::stages
