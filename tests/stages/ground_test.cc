#include "server/stages/ground.h"

#include <gtest/gtest.h>

#include <cmath>

#include "server/stages/stage.h"
#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

GroundStage Compiled(const char* text, const LevelNumbers& level) {
  return Compile(Filled(text).ground(), level);
}

TEST(GroundTest, AbsentPartsAddNothing) {
  const kernels::GroundParams params = Compiled("ground { }", NumbersOf(8)).params;
  EXPECT_EQ(kernels::pairOf16(params.beds).x, 0);
  EXPECT_EQ(kernels::pairOf16(params.gully).x, 0);
  EXPECT_EQ(params.block, 0);
  EXPECT_EQ(kernels::pairOf16(params.soil).x, 0);
  EXPECT_GT(kernels::pairOf16(params.rock).x, 4);  // steeper than any slope
}

TEST(GroundTest, Units) {
  const kernels::GroundParams params =
      Compiled(
          "ground { rock { slope: 0.5 variation: 0.25 } beds { step: 0.75 thickness: 3 } "
          "gullies { depth: 0.125 slope: 0.375 } }",
          NumbersOf(8))
          .params;
  EXPECT_EQ(kernels::pairOf16(params.rock), glm::vec2(0.5F, 0.25F));
  EXPECT_EQ(kernels::pairOf16(params.beds), glm::vec2(0.75F, 3));
  EXPECT_EQ(kernels::pairOf16(params.gully), glm::vec2(0.125F, 0.375F));
  EXPECT_EQ(params.cell, 8 * 65536.0F);
}

TEST(GroundTest, GulliesEndAtTheirShortestDistance) {
  constexpr char kText[] = "ground { gullies { min_m: 6 } }";
  EXPECT_GT(kernels::pairOf16(Compiled(kText, NumbersOf(2)).params.gully).x, 0);
  EXPECT_EQ(kernels::pairOf16(Compiled(kText, NumbersOf(1)).params.gully).x, 0);
}

// A place is in the same cell of a far lattice at every level, or its rock would be another one at
// the next level.
TEST(GroundTest, AllLevelsHaveTheSameCells) {
  constexpr char kText[] = "ground { rock { } beds { } }";
  constexpr int kLevels = 10;
  for (int level = 0; level + 1 < kLevels; ++level) {
    LevelNumbers coarse = NumbersOf(std::ldexp(8.0, -level));
    coarse.finer_levels = kLevels - level - 1;
    LevelNumbers fine = NumbersOf(std::ldexp(4.0, -level));
    fine.finer_levels = kLevels - level - 2;
    const kernels::GroundParams a = Compiled(kText, coarse).params;
    const kernels::GroundParams b = Compiled(kText, fine).params;
    for (const std::uint32_t x : {0U, 1U, 4'000'000'000U, 123'456'789U}) {
      const std::uint32_t y = 7U * x + 5U;
      for (const auto lattice : {&kernels::GroundParams::folds, &kernels::GroundParams::formations,
                                 &kernels::GroundParams::patches}) {
        const kernels::CellPlace at = kernels::farPlace(x, y, a.*lattice);
        const kernels::CellPlace below = kernels::farPlace(2 * x, 2 * y, b.*lattice);
        EXPECT_EQ(at.x & at.mask_x, below.x & below.mask_x) << level;
        EXPECT_EQ(at.y & at.mask_y, below.y & below.mask_y) << level;
        EXPECT_EQ(at.at_x, below.at_x) << level;
      }
    }
  }
}

// Beds may step, but a higher place stays higher.
TEST(GroundTest, BedsNeverInvertHeights) {
  for (const float soft : {0.42F, 0.6F, 0.82F}) {
    for (const float amount : {0.1F, 0.5F, 0.9F}) {
      float before = -1;
      for (int k = 0; k <= 100; ++k) {
        const float part = static_cast<float>(k) / 100;
        const float height = part + kernels::bedStep(part, soft, amount);
        EXPECT_GT(height, before) << soft << " " << amount << " " << part;
        before = height;
      }
    }
  }
}

TEST(GroundTest, DirectionsAreNearlyUnitVectors) {
  for (std::uint32_t k = 0; k < 4096; ++k) {
    const glm::vec2 direction = kernels::directionOfHash(k << 20);
    EXPECT_NEAR(std::hypot(direction.x, direction.y), 1, 0.04) << k;
    const glm::vec2 wave = kernels::circleAt(static_cast<float>(k) / 4096 - 3);
    EXPECT_NEAR(wave.x, std::cos(6.2831853 * k / 4096), 0.04) << k;
    EXPECT_NEAR(wave.y, std::sin(6.2831853 * k / 4096), 0.04) << k;
  }
}

TEST(GroundTest, SlopesSurvivePacking) {
  for (int k = -300; k <= 300; ++k) {
    const float slope = static_cast<float>(k) / 100;
    const glm::vec3 back = kernels::slopeOf(kernels::packedSlope({slope, -slope}, slope / 2));
    EXPECT_NEAR(back.x, slope, 1.0 / 512 + 1e-6);
    EXPECT_NEAR(back.y, -slope, 1.0 / 512 + 1e-6);
    EXPECT_NEAR(back.z, slope / 2, 1.0 / 512 + 1e-6);
    const glm::vec2 wide = kernels::wideSlopeOf(kernels::packedWideSlope({slope, -slope}));
    EXPECT_NEAR(wide.x, slope, 1.0 / 16384 + 1e-6);
    EXPECT_NEAR(wide.y, -slope, 1.0 / 16384 + 1e-6);
  }
}

TEST(GroundTest, ReadsOnlyItsParent) {
  const GroundStage stage = Compiled("ground { }", NumbersOf(8));
  EXPECT_EQ(Reach(stage), 0);
  EXPECT_EQ(ParentReach(Stage(stage)), 5);
  LevelNumbers numbers = NumbersOf(8);
  numbers.planes = 1 << kernels::kLayerWay;
  EXPECT_EQ(ParentReach(Stage(Compiled("ground { rivers { } }", numbers))), 9);
  numbers.ground_levels_above = 1;
  EXPECT_EQ(ParentReach(Stage(Compiled("ground { rivers { } }", numbers))), 5);
}

}  // namespace
}  // namespace thalweg::stages
