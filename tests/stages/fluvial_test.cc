#include "server/stages/fluvial.h"

#include <gtest/gtest.h>

#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

TEST(FluvialTest, Units) {
  const v1::Stage filled = Filled("fluvial { depth: 2 silt: 0.5 talus_deg: 45 }");
  const FluvialStage stage = Compile(filled.fluvial(), NumbersOf(256, 1));
  EXPECT_EQ(stage.params.inverse_cell, 1.0f / 16777216.0f);
  EXPECT_EQ(stage.params.cell, 16777216.0f);
  EXPECT_EQ(stage.params.depth, 33554432);
  EXPECT_EQ(stage.params.silt, 8388608);
  EXPECT_FLOAT_EQ(stage.params.talus, 1.0f);
  // A lowland river's slope: 1 in 16,384.
  EXPECT_EQ(stage.params.descent, 1024);
  EXPECT_EQ(stage.filling.params.step, 1024);
  EXPECT_EQ(stage.filling.params.roughness, 16);
}

// The kernel's differences must not overflow. A step is at least one height unit.
TEST(FluvialTest, NumbersAreBounded) {
  const v1::Stage filled = Filled("fluvial { depth: 64 }");
  EXPECT_EQ(Compile(filled.fluvial(), NumbersOf(4096)).params.depth, 1 << 28);
  EXPECT_EQ(Compile(filled.fluvial(), NumbersOf(1.0 / 512)).params.descent, 1);
}

TEST(FluvialTest, ReachesFartherAtLevelZero) {
  const v1::Stage filled = Filled("fluvial { path: 8 fills: 12 drainage: 16 iterations: 8 }");
  EXPECT_EQ(Reach(Compile(filled.fluvial(), NumbersOf(512))), 9 + 12 + 1 + 16 + 8);
  EXPECT_EQ(Reach(Compile(filled.fluvial(), NumbersOf(256, 1))), 12 + 1 + 16 + 8);
}

}  // namespace
}  // namespace thalweg::stages
