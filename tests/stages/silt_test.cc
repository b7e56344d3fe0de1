#include "server/stages/silt.h"

#include <gtest/gtest.h>

#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

TEST(SiltTest, BeginsFromTheParentsSurfaceBelowLevelZero) {
  const v1::Stage filled = Filled("silt { path: 4 fills: 8 depth: 0.5 freeboard: 0.25 }");
  const SiltStage first = Compile(filled.silt(), NumbersOf(512));
  EXPECT_FALSE(first.filling.freeboard.has_value());
  EXPECT_EQ(first.filling.params.lakes, 0);
  EXPECT_EQ(first.filling.params.silt, 16777216);
  EXPECT_EQ(Reach(first), 5 + 8);
  const SiltStage next = Compile(filled.silt(), NumbersOf(256, 1));
  EXPECT_EQ(next.filling.freeboard, 4194304);
  EXPECT_EQ(Reach(next), 8);
}

}  // namespace
}  // namespace thalweg::stages
