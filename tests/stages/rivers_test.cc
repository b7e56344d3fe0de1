#include "server/stages/rivers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

TEST(RiversTest, Units) {
  const v1::Stage filled =
      Filled("rivers { steepness: 16 concavity: 0.5 repose_deg: 45 displacement: 0.25 keep: 8 }");
  const RiversStage stage = Compile(filled.rivers(), NumbersOf(256, 1));
  EXPECT_EQ(stage.params.displacement, 64.0f);
  // 6 cm a km over 256 m.
  EXPECT_EQ(stage.params.descent, 1024);
  // A cell drains 65,536 square metres: 16 / 256.
  EXPECT_NEAR(stage.params.log_steepness, -4.0f, 1e-3f);
  EXPECT_NEAR(stage.params.log_repose, 0.0f, 1e-3f);
  EXPECT_NEAR(stage.params.repose, 256 * 65536, 2);
  EXPECT_EQ(stage.params.keep, 8);
  EXPECT_GE(Compile(filled.rivers(), NumbersOf(1.0 / 512, 1)).params.descent, 8);
}

TEST(RiversTest, ReachesFurtherAtLevelZero) {
  const v1::Stage filled = Filled("rivers { path: 8 fills: 12 drainage: 4 steps: 8 slides: 2 }");
  EXPECT_EQ(Reach(Compile(filled.rivers(), NumbersOf(512))), 9 + 12 + 1 + 3 + 8 + 2);
  EXPECT_EQ(Reach(Compile(filled.rivers(), NumbersOf(256, 1))), 6 + 12 + 1 + 3 + 8 + 2);
}

TEST(RiversTest, AreasAreCodedInOrderAndToAThousandth) {
  constexpr std::uint32_t kSeed = 4;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937_64 random(kSeed);
  for (std::uint64_t small = 0; small < 2048; ++small) {
    EXPECT_EQ(kernels::areaOf(kernels::areaCode(small)), small);
  }
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t a = random() >> (1 + random() % 62);
    const std::uint64_t b = random() >> (1 + random() % 62);
    EXPECT_LT(kernels::areaCode(a), 1 << 16);
    EXPECT_LE(kernels::areaOf(kernels::areaCode(a)), a);
    EXPECT_GE(kernels::areaOf(kernels::areaCode(a)), a - a / 1024);
    if (a < b) {
      EXPECT_LE(kernels::areaCode(a), kernels::areaCode(b));
    }
    if (a > 0) {
      EXPECT_NEAR(kernels::logOfArea(kernels::areaCode(a)), std::log2(static_cast<double>(a)),
                  2e-3);
    }
  }
}

TEST(RiversTest, WhatChildrenInheritIsPackedWhole) {
  for (const float factor : {0.001f, 0.5f, 1.0f, 3.0f, 1000.0f}) {
    const int code = kernels::steepnessCode(factor);
    const int river = kernels::packedRiver(8, 65535, code);
    EXPECT_GT(river, 0);
    EXPECT_TRUE(kernels::isRiverKnown(river));
    EXPECT_EQ(kernels::riverDirection(river), 8);
    EXPECT_EQ(kernels::riverArea(river), 65535);
    EXPECT_EQ(kernels::riverSteepness(river), code);
  }
  EXPECT_EQ(kernels::steepnessCode(1), kernels::kWholeSteepness);
  EXPECT_FALSE(kernels::isRiverKnown(kernels::packedRiver(-1, 0, kernels::steepnessCode(3))));
}

TEST(RiversTest, AWayIsAStraightLineFromEndToEnd) {
  for (int steps = 1; steps <= 4; ++steps) {
    for (int run = -steps; run <= steps; ++run) {
      for (std::uint32_t chance = 0; chance < 16; ++chance) {
        EXPECT_EQ(kernels::alongWay(run, 0, steps, chance), 0);
        EXPECT_EQ(kernels::alongWay(run, steps, steps, chance), run);
        for (int taken = 0; taken < steps; ++taken) {
          const int step = kernels::alongWay(run, taken + 1, steps, chance) -
                           kernels::alongWay(run, taken, steps, chance);
          EXPECT_LE(std::abs(step), 1) << run << " over " << steps;
          EXPECT_LT(std::abs(kernels::alongWay(run, taken, steps, chance) -
                             static_cast<double>(run) * taken / steps),
                    1.0);
        }
      }
    }
  }
}

TEST(RiversTest, RisesFollowTheLawUpToTheAngleOfRepose) {
  const v1::Stage filled = Filled("rivers { steepness: 16 concavity: 0.5 repose_deg: 45 }");
  const auto params = Compile(filled.rivers(), NumbersOf(256, 1)).params;
  const double cell = 256 * 65536;
  // A slope of 1/16 at a cell, 1/256 at 256 cells: far from the angle of repose.
  EXPECT_NEAR(kernels::riseOf(0, kernels::areaCode(1), kernels::kWholeSteepness, params), cell / 16,
              cell / 4000);
  EXPECT_NEAR(kernels::riseOf(4, kernels::areaCode(256), kernels::kWholeSteepness, params),
              cell / 256, cell / 100000);
  EXPECT_NEAR(kernels::riseOf(1, kernels::areaCode(256), kernels::kWholeSteepness, params),
              cell / 256 * std::sqrt(2.0), cell / 100000);
  EXPECT_NEAR(kernels::riseOf(4, kernels::areaCode(256), kernels::steepnessCode(4), params),
              cell / 64, cell / 10000);
  const auto steep =
      Compile(Filled("rivers { steepness: 1000 repose_deg: 45 }").rivers(), NumbersOf(1, 1)).params;
  EXPECT_NEAR(kernels::riseOf(0, kernels::areaCode(1), kernels::kWholeSteepness, steep), 65536,
              700);
  // Rounded over two cells: (sqrt(1 + 1/4) - 1) / (1/2) of it beside the crest, most of it far
  // below.
  const auto round =
      Compile(Filled("rivers { steepness: 1000 repose_deg: 45 crest_m: 2 }").rivers(),
              NumbersOf(1, 1))
          .params;
  const auto rise = [&](std::uint64_t cells) {
    return kernels::riseOf(0, kernels::areaCode(cells), kernels::kWholeSteepness, round);
  };
  EXPECT_NEAR(rise(1), 0.2361 * 65536, 200);
  EXPECT_GT(rise(100), 0.95 * 65536);
  const auto flat = Compile(Filled("rivers { steepness: 0 }").rivers(), NumbersOf(256, 1)).params;
  EXPECT_EQ(kernels::riseOf(0, kernels::areaCode(1), kernels::kWholeSteepness, flat), flat.descent);
}

}  // namespace
}  // namespace thalweg::stages
