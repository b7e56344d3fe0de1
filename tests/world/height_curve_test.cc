// The curve that is applied to heights when they are read.
#include "server/world/height_curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

#include "server/stages/level_numbers.h"
#include "server/world/world.h"
#include "tests/world/spec_fixtures.h"

namespace thalweg::world {
namespace {

using Pieces = std::vector<kernels::BaseInstruction>;

std::int32_t Units(double metres) { return static_cast<std::int32_t>(stages::HeightUnits(metres)); }

// A curve whose pieces have slopes of the whole allowed range.
v1::HeightCurve RandomCurve(std::mt19937_64& random) {
  std::uniform_real_distribution<double> run(0.5, 300);
  std::uniform_real_distribution<double> octaves(-5.9, 5.9);
  v1::HeightCurve curve;
  double in = -500;
  double out = -450;
  for (int i = 0; i < 12; ++i) {
    v1::Point& point = *curve.add_points();
    point.set_in(in);
    point.set_out(out);
    const double by = run(random);
    in += by;
    out += std::min(by * std::exp2(octaves(random)), 400.0);
  }
  return curve;
}

Pieces PiecesOf(const v1::HeightCurve& curve) {
  Pieces pieces;
  AppendHeightCurve(curve, pieces);
  return pieces;
}

TEST(HeightCurveTest, ShownHeightsNeverFallAsHeightsRise) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<std::int32_t> height(Units(-2000), Units(4000));
  for (int i = 0; i < 200; ++i) {
    const Pieces pieces = PiecesOf(RandomCurve(random));
    std::vector<std::int32_t> heights(300);
    std::generate(heights.begin(), heights.end(), [&] { return height(random); });
    // Heights where pieces meet.
    for (const auto& piece : pieces) {
      for (const int by : {-1, 0, 1}) heights.push_back(kernels::heightFromMetres(piece.a) + by);
    }
    std::sort(heights.begin(), heights.end());
    for (std::size_t k = 1; k < heights.size(); ++k) {
      ASSERT_LE(ShownHeight(heights[k - 1], pieces), ShownHeight(heights[k], pieces)) << heights[k];
    }
  }
}

TEST(HeightCurveTest, PassesItsPointsAndRisesByOneOutsideThem) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 50; ++i) {
    const v1::HeightCurve curve = RandomCurve(random);
    const Pieces pieces = PiecesOf(curve);
    for (const v1::Point& point : curve.points()) {
      EXPECT_NEAR(ShownHeight(Units(point.in()), pieces), Units(point.out()), Units(0.05));
    }
    const v1::Point& first = curve.points(0);
    const v1::Point& last = curve.points(curve.points_size() - 1);
    EXPECT_NEAR(ShownHeight(Units(first.in() - 700), pieces), Units(first.out() - 700), 64);
    EXPECT_NEAR(ShownHeight(Units(last.in() + 700), pieces), Units(last.out() + 700), 64);
  }
}

TEST(HeightCurveTest, WithoutACurveHeightsDoNotChange) {
  EXPECT_EQ(ShownHeight(-12'345, {}), -12'345);
  EXPECT_TRUE((*World::Create(SmallSpec()))->level(0).height_curve().empty());
}

TEST(HeightCurveTest, IsTheSameAtEveryLevel) {
  const auto world = World::Create(
      SmallSpecWith("height_curve { points { in: 0 out: 10 } points { in: 100 out: 400 } }"));
  ASSERT_TRUE(world.ok()) << world.status();
  for (const LevelProgram& program : (*world)->programs()) {
    EXPECT_NEAR(ShownHeight(Units(50), program.height_curve()), Units(205), 64) << program.level;
    EXPECT_EQ(program.base().empty(), program.level > 0);
  }
}

}  // namespace
}  // namespace thalweg::world
