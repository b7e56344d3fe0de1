#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "proto/geometry/selection.h"
#include "proto/geometry/surface.h"
#include "proto/geometry/tile_tree.h"

namespace thalweg::lod {
namespace {

using wire::TileKey;

constexpr double kRadiusM = 6'371'000;
constexpr WorldGrid kGlobe{
    .cell_size_m = kRadiusM * std::numbers::pi / 512, .levels = 16, .radius_m = kRadiusM};

std::ptrdiff_t CountTouching(const CubeSphere& planet, const TileKey& key) {
  return std::ranges::count_if(planet.TouchingOf(key), &IsTile);
}

TEST(CubeSphereTest, ACornerOfAFaceHasSevenTilesAroundIt) {
  const CubeSphere planet(kGlobe);
  for (int face = 0; face < 6; ++face) {
    for (const std::int64_t last : {1, 3, 255}) {
      const int level = last == 1 ? 1 : last == 3 ? 2 : 8;
      const Touching north_west = planet.TouchingOf({.face = face, .level = level});
      EXPECT_FALSE(IsTile(north_west[0]));
      const Touching south_east =
          planet.TouchingOf({.face = face, .level = level, .x = last, .y = last});
      EXPECT_FALSE(IsTile(south_east[7]));
      EXPECT_EQ(CountTouching(planet, {.face = face, .level = level}), 7);
      if (last == 1) continue;
      EXPECT_EQ(CountTouching(planet, {.face = face, .level = level, .x = 1}), 8);
      EXPECT_EQ(CountTouching(planet, {.face = face, .level = level, .x = 1, .y = 1}), 8);
    }
    EXPECT_EQ(CountTouching(planet, {.face = face}), 4);
  }
}

// The twin: without the turn of lattices, other tiles would be beyond an edge.
TEST(CubeSphereTest, TilesBeyondAnEdgeAreTurned) {
  const CubeSphere planet(kGlobe);
  int turned = 0;
  for (int face = 0; face < 6; ++face) {
    for (std::int64_t y = 0; y < 8; ++y) {
      const TileKey east = planet.TouchingOf({.face = face, .level = 3, .x = 7, .y = y})[4];
      turned += east.x == 0 && east.y == y ? 0 : 1;
    }
  }
  EXPECT_GT(turned, 16);
}

TEST(CubeSphereTest, TheUpperEndOfTheWorldIsTheNorthPole) {
  const CubeSphere planet(kGlobe);
  const sphere::Vector pole = planet.PointOver({2, 0.5, 0.5}, 0);
  EXPECT_NEAR(pole.z, kRadiusM, 1e-6);
  const sphere::Vector greenwich = planet.PointOver({0, 0.5, 0.5}, 0);
  EXPECT_NEAR(greenwich.x, kRadiusM, 1e-6);
  EXPECT_NEAR(planet.NorthAt(greenwich).z, 1, 1e-12);
  EXPECT_EQ(Length(planet.NorthAt({0, 0, kRadiusM})), 1);
  EXPECT_EQ(Length(planet.NorthAt({0, 0, -kRadiusM})), 1);
  // All functions are defined, even in the planet's middle.
  EXPECT_EQ(planet.HeightOf({0, 0, 0}), -kRadiusM);
  EXPECT_EQ(Length(planet.UpAt({0, 0, 0})), 1);
  EXPECT_EQ(planet.PlaceUnder({0, 0, 0}).face, 2);
}

// By the definition: whether the straight line from the eye to a point meets the sphere of the
// lowest ground.
bool IsBehind(const sphere::Vector& eye, const sphere::Vector& point, double sphere_m) {
  const sphere::Vector way = point - eye;
  const double nearest = std::clamp(-Dot(eye, way) / Dot(way, way), 0.0, 1.0);
  return Length(eye + nearest * way) < sphere_m - 1e-3;
}

TEST(CubeSphereTest, HidesOnlyTilesWhollyBehindTheHorizon) {
  const CubeSphere planet(kGlobe);
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> share(-1, 1);
  int hidden = 0;
  int open = 0;
  for (int n = 0; n < 4'000; ++n) {
    const int level = n % 9;
    const std::int64_t last = (std::int64_t{1} << level) - 1;
    std::uniform_int_distribution<std::int64_t> tile(0, last);
    const TileKey key{.face = static_cast<int>(random() % 6),
                      .level = level,
                      .x = tile(random),
                      .y = tile(random)};
    const Heights heights{-4'000, 4'000 * share(random)};
    View view;
    view.position = (kRadiusM + std::exp(10 + 6 * share(random))) *
                    sphere::Unit({share(random), share(random), share(random)});
    // The camera looks to the tile, so that only the horizon can hide it.
    view.direction = planet.PointOver(PlaceOf(key, 128, 128), 0) - view.position;
    const auto sight_from = [&](std::optional<double> lowest_m) {
      return planet.SightOf(key, heights, ViewerOf(view, planet, lowest_m));
    };
    EXPECT_TRUE(sight_from(std::nullopt).may_show);
    bool all_behind = true;
    for (int column = 0; column <= 256; column += 16) {
      for (int row = 0; row <= 256; row += 16) {
        const sphere::Vector point = planet.PointOver(PlaceOf(key, column, row), heights.max_m);
        all_behind = all_behind && IsBehind(view.position, point, kRadiusM - 4'000);
      }
    }
    const bool may_show = sight_from(-4'000).may_show;
    EXPECT_TRUE(may_show || all_behind) << n;
    hidden += may_show ? 0 : 1;
    open += all_behind && may_show ? 1 : 0;
  }
  EXPECT_GT(hidden, 1'000);
  // In these cases, only ground between two tested points can be seen.
  EXPECT_LT(open, 40);
}

TEST(CubeSphereTest, AViewOfTheGlobeNeedsTheSideThatFacesIt) {
  const TileFacts facts{.geometric_error = 65'536 * 300, .min_height = 0, .max_height = 65'536};
  View view;
  view.position = {3 * kRadiusM, 0, 0};
  view.direction = {-1, 0, 0};
  view.range_m = 4 * kRadiusM;
  const Selection selection =
      Selection::Of(view, kGlobe, [&facts](const TileKey&) { return &facts; });
  ASSERT_NE(selection.Find({.face = 0}), nullptr);
  EXPECT_EQ(selection.Find({.face = 0})->need, Need::kInView);
  // All of face 3 is behind the horizon.
  ASSERT_NE(selection.Find({.face = 3}), nullptr);
  EXPECT_EQ(selection.Find({.face = 3})->need, Need::kAround);
  std::ptrdiff_t roots = 0;
  for (const Wanted& tile : selection.tiles()) roots += tile.key.level == 0 ? 1 : 0;
  EXPECT_EQ(roots, 6);
}

}  // namespace
}  // namespace thalweg::lod
