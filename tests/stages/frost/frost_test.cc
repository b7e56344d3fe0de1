#include "server/stages/frost.h"

#include <gtest/gtest.h>

#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

TEST(FrostTest, UnitsAndReach) {
  const v1::Stage filled = Filled("frost { iterations: 3 strength: 0.5 ledge: 2 }");
  const FrostStage stage = Compile(filled.frost(), NumbersOf(0.5));
  EXPECT_EQ(stage.params.ledge, 65536);
  EXPECT_EQ(stage.params.part, 2048);
  EXPECT_EQ(Reach(stage), 3);
}

}  // namespace
}  // namespace thalweg::stages
