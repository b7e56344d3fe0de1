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
  // 6 cm per km, over 256 m.
  EXPECT_EQ(stage.params.descent, 1024);
  // A cell drains 65,536 square metres, so its slope is 16 / 256.
  EXPECT_NEAR(stage.params.log_steepness, -4.0f, 1e-3f);
  EXPECT_NEAR(stage.params.repose, 256 * 65536, 2);
  EXPECT_EQ(stage.params.keep, 8);
  EXPECT_GE(Compile(filled.rivers(), NumbersOf(1.0 / 512, 1)).params.descent, 8);
}

TEST(RiversTest, ReachesFartherAtLevelZero) {
  const v1::Stage filled = Filled("rivers { path: 8 fills: 12 drainage: 4 steps: 8 slides: 2 }");
  EXPECT_EQ(Reach(Compile(filled.rivers(), NumbersOf(512))), 9 + 12 + 1 + 3 + 8 + 2);
  EXPECT_EQ(Reach(Compile(filled.rivers(), NumbersOf(256, 1))), 6 + 12 + 1 + 3 + 8 + 2);
  v1::Stage floors = filled;
  floors.mutable_rivers()->set_floor_width(0.1);
  EXPECT_EQ(Reach(Compile(floors.rivers(), NumbersOf(256, 1))), 6 + 12 + 1 + 3 + 8 + 4 + 2);
}

TEST(RiversTest, AreasAreCodedInOrderToOneFiveHundredth) {
  constexpr std::uint32_t kSeed = 4;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937_64 random(kSeed);
  for (std::uint64_t small = 0; small < 512; ++small) {
    EXPECT_EQ(kernels::areaOf(kernels::areaCode(small)), small);
  }
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t a = random() >> (2 + random() % 61);
    const std::uint64_t b = random() >> (2 + random() % 61);
    const std::uint64_t coded = kernels::areaOf(kernels::areaCode(a));
    EXPECT_LE(kernels::areaCode(a), kernels::kMaxArea);
    EXPECT_LE(coded > a ? coded - a : a - coded, a / 512);
    EXPECT_EQ(kernels::areaCode(coded), kernels::areaCode(a));
    if (a < b) {
      EXPECT_LE(kernels::areaCode(a), kernels::areaCode(b));
    }
    if (a > 0) {
      EXPECT_NEAR(kernels::logOfArea(kernels::areaCode(a)), std::log2(static_cast<double>(a)),
                  4e-3);
    }
    if (a < (1u << 28)) {
      EXPECT_EQ(kernels::cellsOf(kernels::areaCode(a)), static_cast<float>(coded));
    }
  }
}

TEST(RiversTest, InheritedValuesArePackedExactly) {
  for (const float factor : {0.001f, 0.5f, 1.0f, 3.0f, 1000.0f}) {
    for (const int floor_code : {0, 1, 40, kernels::kFloorHere}) {
      const int code = kernels::steepnessCode(factor);
      const int river = kernels::packedRiver(8, kernels::kMaxArea, floor_code, code);
      EXPECT_TRUE(kernels::isRiverKnown(river));
      EXPECT_EQ(kernels::riverDirection(river), 8);
      EXPECT_EQ(kernels::riverArea(river), kernels::kMaxArea);
      EXPECT_EQ(kernels::riverFloor(river), floor_code);
      EXPECT_EQ(kernels::riverSteepness(river), code);
    }
  }
  EXPECT_EQ(kernels::steepnessCode(1), kernels::kWholeSteepness);
  EXPECT_FALSE(kernels::isRiverKnown(kernels::packedRiver(-1, 0, 0, kernels::steepnessCode(3))));
  const int way = kernels::keptWay(5, 33);
  EXPECT_EQ(kernels::wayDirection(way), 5);
  EXPECT_EQ(kernels::wayFloor(way), 33);
  EXPECT_NE(way & kernels::kWayKept, 0);
  EXPECT_LT(kernels::keptWay(8, kernels::kFloorHere), kernels::kWayUnknown);
}

TEST(RiversTest, APathIsAStraightLineFromEndToEnd) {
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

// By how much the ground rises over a step, far from every floor.
int RiseOf(int direction, std::uint64_t cells, int steepness, const kernels::RiversParams& params) {
  const int river = kernels::packedRiver(direction, kernels::areaCode(cells), 0, steepness);
  const float step = direction % 2 != 0 ? 1.41421356F : 1;
  return kernels::riseOverStep(kernels::riseOfCell(river, 1, params), step, params);
}

TEST(RiversTest, RisesFollowTheLawUpToTheAngleOfRepose) {
  const v1::Stage filled = Filled("rivers { steepness: 16 concavity: 0.5 repose_deg: 45 }");
  const auto params = Compile(filled.rivers(), NumbersOf(256, 1)).params;
  constexpr int kWhole = kernels::kWholeSteepness;
  const double cell = 256 * 65536;
  // The slope is 1/16 if one cell drains, 1/256 if 256 do: far from the angle of repose.
  EXPECT_NEAR(RiseOf(0, 1, kWhole, params), cell / 16, cell / 4000);
  EXPECT_NEAR(RiseOf(4, 256, kWhole, params), cell / 256, cell / 100000);
  EXPECT_NEAR(RiseOf(1, 256, kWhole, params), cell / 256 * std::sqrt(2.0), cell / 100000);
  EXPECT_NEAR(RiseOf(4, 256, kernels::steepnessCode(4), params), cell / 64, cell / 10000);
  const auto steep =
      Compile(Filled("rivers { steepness: 1000 repose_deg: 45 }").rivers(), NumbersOf(1, 1)).params;
  EXPECT_NEAR(RiseOf(0, 1, kWhole, steep), 65536, 700);
  // The crest is rounded over two cells. Beside it the rise is (sqrt(1 + 1/4) - 1) / (1/2) of the
  // full one, far below it nearly all.
  const auto round =
      Compile(Filled("rivers { steepness: 1000 repose_deg: 45 crest_m: 2 }").rivers(),
              NumbersOf(1, 1))
          .params;
  EXPECT_NEAR(RiseOf(0, 1, kWhole, round), 0.2361 * 65536, 200);
  EXPECT_GT(RiseOf(0, 100, kWhole, round), 0.95 * 65536);
  const auto flat = Compile(Filled("rivers { steepness: 0 }").rivers(), NumbersOf(256, 1)).params;
  EXPECT_EQ(RiseOf(0, 1, kWhole, flat), flat.descent);
}

TEST(RiversTest, SlopesAreFlatOnAFloorAndFullBeyond) {
  for (const double trough : {0.0, 0.5, 1.0}) {
    SCOPED_TRACE(testing::Message() << "trough " << trough);
    v1::Stage filled = Filled("rivers { floor_width: 0.05 }");
    filled.mutable_rivers()->set_trough(trough);
    const auto params = Compile(filled.rivers(), NumbersOf(64, 1)).params;
    EXPECT_NEAR(kernels::partBesideFloor(0, 0.01f, params), kernels::kMinFloor, 0.01);
    EXPECT_LE(kernels::partBesideFloor(0.5f, 0.01f, params), 0.04 + 0.5 * trough);
    EXPECT_NEAR(kernels::partBesideFloor(3, 0.5f, params), 1, 1e-4);
    // Walls are steeper than other slopes.
    EXPECT_NEAR(kernels::partBesideFloor(1.5f, 0.01f, params), 1 + 0.3 * trough, 0.02);
    // The rise of a long step equals the sum of the rises of short steps over the same way.
    float sum = 0;
    for (int k = 0; k < 64; ++k) {
      const float middle = (static_cast<float>(k) + 0.5f) / 16;
      sum += kernels::partBesideFloor(middle, 1.0f / 16, params) / 16;
    }
    EXPECT_NEAR(kernels::partBesideFloor(2, 4, params) * 4, sum, 1e-3);
  }
}

TEST(RiversTest, FloorsAreCodedByTheirDistance) {
  EXPECT_EQ(kernels::floorCode(0), kernels::kFloorHere);
  EXPECT_EQ(kernels::floorCode(100), 0);
  for (int code = 1; code <= kernels::kFloorHere; ++code) {
    EXPECT_EQ(kernels::floorCode(kernels::floorDistance(code)), code);
  }
  EXPECT_EQ(kernels::partByFloor(0, Compile(Filled("rivers {}").rivers(), NumbersOf(64, 1)).params),
            1);
}

TEST(RiversTest, OnlyLargeRiversHaveFloors) {
  const auto params = Compile(Filled("rivers { floor_width: 0.1 channel_area_m2: 4096 }").rivers(),
                              NumbersOf(64, 1))
                          .params;
  // Floors begin at an area of 64 channels. A channel begins at the area of one cell here.
  EXPECT_EQ(kernels::floorOf(kernels::areaCode(64), params), 0);
  EXPECT_NEAR(kernels::floorOf(kernels::areaCode(464), params), 4, 0.01);
}

}  // namespace
}  // namespace thalweg::stages
