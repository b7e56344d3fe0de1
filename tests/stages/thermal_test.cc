#include "server/stages/thermal.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

TEST(ThermalTest, Units) {
  const ThermalStage stage = Compile(Filled("thermal { }").thermal(), NumbersOf(100));
  EXPECT_NEAR(stage.params.talus, std::tan(38.0 * std::acos(-1.0) / 180.0) * 6553600.0, 0.6);
  EXPECT_NEAR(stage.params.diagonal_talus, stage.params.talus * std::sqrt(2.0), 1.5);
  EXPECT_EQ(stage.params.rate, 0.25f);
}

// The kernel's differences must not overflow.
TEST(ThermalTest, TalusIsBounded) {
  const ThermalStage stage =
      Compile(Filled("thermal { talus_deg: 80 }").thermal(), NumbersOf(4096));
  EXPECT_EQ(stage.params.talus, 1 << 28);
  EXPECT_EQ(stage.params.diagonal_talus, 1 << 28);
}

TEST(ThermalTest, ReachesTwoCellsAnIteration) {
  EXPECT_EQ(Reach(ThermalStage{.iterations = 4}), 8);
}

}  // namespace
}  // namespace thalweg::stages
