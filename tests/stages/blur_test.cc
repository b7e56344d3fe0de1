#include "server/stages/blur.h"

#include <gtest/gtest.h>

#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

TEST(BlurTest, UnitsAndReach) {
  const v1::Stage filled = Filled("blur { iterations: 3 strength: 0.5 }");
  const BlurStage stage = Compile(filled.blur(), NumbersOf(512));
  // In 1/65,536: the binomial filter's 2/16 and 1/16, times the strength of 0.5.
  EXPECT_EQ(stage.params.straight, 4096);
  EXPECT_EQ(stage.params.diagonal, 2048);
  EXPECT_EQ(Reach(stage), 3);
}

}  // namespace
}  // namespace thalweg::stages
