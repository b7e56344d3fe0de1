#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "proto/geometry/surface.h"

namespace thalweg::lod {
namespace {

using wire::TileKey;

constexpr WorldGrid kUnitPlanet{.cell_size_m = 1, .levels = 21, .radius_m = 1};

TileKey AnyTile(int level, std::mt19937_64& random) {
  std::uniform_int_distribution<std::int64_t> tile(0, (std::int64_t{1} << level) - 1);
  return {
      .face = static_cast<int>(random() % 6), .level = level, .x = tile(random), .y = tile(random)};
}

TEST(TilePatchTest, TheChordIsTheDistanceToTheNearestPoint) {
  const auto planet = SurfaceOf(kUnitPlanet);
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 2'000; ++n) {
    const TileKey key = AnyTile(n % 5, random);
    const sphere::Vector direction = sphere::Unit({normal(random), normal(random), normal(random)});
    double nearest = 3;
    for (int column = 0; column <= 256; column += 8) {
      for (int row = 0; row <= 256; row += 8) {
        const sphere::Vector point = planet->PointOver(PlaceOf(key, column, row), 0);
        nearest = std::min(nearest, Length(point - direction));
      }
    }
    const double chord = TilePatch(key).ChordTo(direction);
    EXPECT_LE(chord, nearest + 1e-12);
    EXPECT_GE(chord, nearest - std::ldexp(0.08, -key.level));
  }
}

TEST(TilePatchTest, TheChordIsZeroInside) {
  const auto planet = SurfaceOf(kUnitPlanet);
  std::mt19937_64 random(4);
  for (int n = 0; n < 2'000; ++n) {
    const TileKey key = AnyTile(n % 20, random);
    EXPECT_EQ(TilePatch(key).ChordTo(planet->PointOver(PlaceOf(key, 128, 77), 0)), 0);
  }
}

TEST(TilePatchTest, TheBallHoldsAllAndIsNotMuchTooLarge) {
  const auto planet = SurfaceOf(kUnitPlanet);
  std::mt19937_64 random(5);
  for (int n = 0; n < 500; ++n) {
    const TileKey key = AnyTile(n % 16, random);
    const double least = 0.9 + 0.001 * static_cast<double>(random() % 100);
    const double most = least + 0.001 * static_cast<double>(random() % 200);
    const Ball ball = TilePatch(key).BallAround(least, most);
    double farthest = 0;
    for (int column = 0; column <= 256; column += 32) {
      for (int row = 0; row <= 256; row += 32) {
        for (const double radius : {least, most}) {
          const sphere::Vector point = planet->PointOver(PlaceOf(key, column, row), radius - 1);
          farthest = std::max(farthest, Length(point - ball.middle));
        }
      }
    }
    EXPECT_LE(farthest, ball.radius_m + 1e-12);
    EXPECT_GE(farthest, 0.8 * ball.radius_m - 1e-12);
  }
}

}  // namespace
}  // namespace thalweg::lod
