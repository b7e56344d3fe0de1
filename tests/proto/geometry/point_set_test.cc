#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "proto/geometry/sample_point.h"

namespace thalweg::sampling {
namespace {

constexpr std::uint64_t kSeed = 21;

// Ground that is smooth over the whole planet.
double GroundAt(const sphere::Vector& point) {
  return 1e8 * std::sin(2 * point.x + 3 * point.y) + 5e7 * point.z;
}

std::vector<std::int32_t> TileOf(const wire::TileKey& key) {
  std::vector<std::int32_t> values;
  const double cells = std::ldexp(wire::kTileCells, key.level);
  for (int y = 0; y < wire::kTileVertices; ++y) {
    for (int x = 0; x < wire::kTileVertices; ++x) {
      const sphere::FacePlace place{key.face,
                                    static_cast<double>(key.x * wire::kTileCells + x) / cells,
                                    static_cast<double>(key.y * wire::kTileCells + y) / cells};
      values.push_back(static_cast<std::int32_t>(std::lround(GroundAt(sphere::PointOf(place)))));
    }
  }
  return values;
}

std::vector<sphere::Vector> RandomPoints(std::size_t count) {
  std::mt19937_64 random(kSeed);
  std::vector<sphere::Vector> points;
  const auto coordinate = [&] { return static_cast<double>(random() % 2001) / 1000 - 1; };
  while (points.size() < count) {
    sphere::Vector point{coordinate(), coordinate(), coordinate()};
    // Some points are on edges and corners of the cube, and at the poles.
    if (random() % 4 == 0) point.y = point.x;
    if (random() % 8 == 0) point.z = -point.x;
    if (random() % 16 == 0) point = {0, 0, point.z};
    if (std::hypot(point.x, point.y, point.z) > 0.1) points.push_back(point);
  }
  return points;
}

std::vector<std::int32_t> Sampled(const PointSet& set, Rule rule) {
  std::vector<std::int32_t> values(set.size());
  for (std::size_t n = 0; n < set.tiles().size(); ++n) {
    set.Sample(n, TileOf(set.tiles()[n]), rule, values);
  }
  return values;
}

TEST(PointSetTest, ValuesMatchTheGroundAtThePoints) {
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  const std::vector<sphere::Vector> points = RandomPoints(4'000);
  const PointSet set(points, 1);
  const auto bilinear = Sampled(set, Rule::kBilinear);
  const auto nearest = Sampled(set, Rule::kNearest);
  double worst_nearest = 0;
  for (std::size_t n = 0; n < points.size(); ++n) {
    const double ground = GroundAt(Unit(points[n]));
    // A cell is 1/300 of the radius. The error is about its square times the ground's curvature.
    EXPECT_NEAR(bilinear[n], ground, 1e4);
    EXPECT_NEAR(nearest[n], ground, 2e6);
    worst_nearest = std::max(worst_nearest, std::abs(nearest[n] - ground));
  }
  // The twin: the heights of the nearest vertices are less exact.
  EXPECT_GT(worst_nearest, 1e5);
}

TEST(PointSetTest, EachTileAppearsOnceInOrder) {
  const PointSet set(RandomPoints(8'000), 2);
  ASSERT_EQ(set.tiles().size(), 96U);
  for (std::size_t n = 0; n < set.tiles().size(); ++n) {
    const wire::TileKey& key = set.tiles()[n];
    EXPECT_TRUE(wire::CheckTileKey(key, wire::Shape::kSphere, 3).ok());
    EXPECT_EQ(set.Find(key), n);
    if (n == 0) continue;
    const wire::TileKey& before = set.tiles()[n - 1];
    EXPECT_TRUE(std::tuple(before.face, before.y, before.x) < std::tuple(key.face, key.y, key.x));
  }
  EXPECT_EQ(set.Find({0, 1, 0, 0}), set.tiles().size());
  EXPECT_EQ(set.Find({0, 2, 4, 0}), set.tiles().size());
}

TEST(SamplePointTest, PackedLayersAreNotInterpolated) {
  EXPECT_EQ(RuleOf(v1::LAYER_HEIGHT), Rule::kBilinear);
  EXPECT_EQ(RuleOf(v1::LAYER_SLOPE), Rule::kBilinear);
  EXPECT_EQ(RuleOf(v1::LAYER_COVER), Rule::kNearest);
  EXPECT_EQ(RuleOf(v1::LAYER_NORMAL), Rule::kNearest);
  EXPECT_EQ(RuleOf(v1::LAYER_SHORE_DIRECTION), Rule::kNearest);
}

TEST(SamplePointTest, LastVerticesAreInTheLastCell) {
  const PlacedPoint corner = PointOn({5, 1, 1}, 3);
  EXPECT_EQ(corner.key, (wire::TileKey{5, 3, 7, 7}));
  EXPECT_EQ(corner.point.column, 255);
  EXPECT_EQ(corner.point.east, kWeight);
  const auto tile = TileOf(corner.key);
  EXPECT_EQ(ValueAt(tile, corner.point, Rule::kBilinear), tile.back());
  EXPECT_EQ(ValueAt(tile, corner.point, Rule::kNearest), tile.back());
}

}  // namespace
}  // namespace thalweg::sampling
