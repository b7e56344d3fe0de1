#include "proto/geometry/surface.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "proto/geometry/tile_box.h"
#include "proto/geometry/tile_tree.h"

namespace thalweg::lod {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using wire::TileKey;

constexpr WorldGrid kPlaneGrid{.cell_size_m = 4, .levels = 12};
constexpr WorldGrid kPlanetGrid{.cell_size_m = 39'000, .levels = 12, .radius_m = 6'371'000};

// A random tile of a level. Most are along a side of a face.
TileKey RandomKey(const WorldGrid& grid, int level, std::mt19937_64& random) {
  const std::int64_t tiles = std::int64_t{1} << level;
  const auto coordinate = [&] {
    const std::int64_t drawn = std::uniform_int_distribution<std::int64_t>(0, tiles - 1)(random);
    const auto choice = random() % 3;
    return choice == 0 ? drawn : choice == 1 ? 0 : tiles - 1;
  };
  TileKey key{.level = level, .x = coordinate(), .y = coordinate()};
  if (grid.radius_m > 0) key.face = static_cast<int>(random() % 6);
  return key;
}

class SurfaceTest : public testing::TestWithParam<WorldGrid> {
 protected:
  const std::unique_ptr<const Surface> surface_ = SurfaceOf(GetParam());
  std::mt19937_64 random_{20261123};
};

INSTANTIATE_TEST_SUITE_P(Both, SurfaceTest, testing::Values(kPlaneGrid, kPlanetGrid),
                         [](const auto& grid) {
                           return grid.param.radius_m > 0 ? "Planet" : "Plane";
                         });

TEST_P(SurfaceTest, TouchingIsMutual) {
  for (int n = 0; n < 3'000; ++n) {
    const TileKey key = RandomKey(GetParam(), n % 12, random_);
    const Touching touching = surface_->TouchingOf(key);
    for (const TileKey& other : touching) {
      if (!IsTile(other)) continue;
      EXPECT_TRUE(surface_->Check(other).ok());
      EXPECT_NE(other, key);
      EXPECT_EQ(std::ranges::count(touching, other), 1);
      EXPECT_EQ(std::ranges::count(surface_->TouchingOf(other), key), 1);
    }
  }
}

TEST_P(SurfaceTest, ParentsAroundIncludeThoseOfTouchingTiles) {
  for (int n = 0; n < 3'000; ++n) {
    const TileKey key = RandomKey(GetParam(), 1 + n % 11, random_);
    std::set<TileKey> expected{ParentOf(key)};
    for (const TileKey& other : surface_->TouchingOf(key)) {
      if (IsTile(other)) expected.insert(ParentOf(other));
    }
    std::set<TileKey> parents;
    for (const TileKey& parent : surface_->ParentsAround(key)) {
      EXPECT_TRUE(!IsTile(parent) || parents.insert(parent).second);
    }
    EXPECT_EQ(parents, expected);
  }
}

// A tile's corners, north-west first, row by row.
std::vector<sphere::Vector> CornersOf(const Surface& surface, const TileKey& key) {
  std::vector<sphere::Vector> corners;
  for (const int row : {0, wire::kTileCells}) {
    for (const int column : {0, wire::kTileCells}) {
      corners.push_back(surface.PointOver(PlaceOf(key, column, row), 0));
    }
  }
  return corners;
}

// How many corners two tiles have in common.
std::ptrdiff_t SharedCorners(const Surface& surface, const TileKey& a, const TileKey& b) {
  constexpr double kSameM = 1e-6;
  const std::vector<sphere::Vector> other = CornersOf(surface, b);
  return std::ranges::count_if(CornersOf(surface, a), [&](const sphere::Vector& corner) {
    return std::ranges::any_of(
        other, [&](const sphere::Vector& it) { return Length(it - corner) < kSameM; });
  });
}

TEST_P(SurfaceTest, TilesThatTouchByAnEdgeShareTwoCornersOfSpace) {
  for (int n = 0; n < 1'000; ++n) {
    const TileKey key = RandomKey(GetParam(), n % 12, random_);
    const Touching touching = surface_->TouchingOf(key);
    for (const std::size_t edge : {1U, 3U, 4U, 6U}) {
      ASSERT_TRUE(IsTile(touching[edge]));
      EXPECT_EQ(SharedCorners(*surface_, key, touching[edge]), 2);
    }
    for (const std::size_t corner : {0U, 2U, 5U, 7U}) {
      if (!IsTile(touching[corner])) continue;
      EXPECT_EQ(SharedCorners(*surface_, key, touching[corner]), 1);
    }
  }
}

TEST_P(SurfaceTest, FindsPlacesUnderPointsAgain) {
  std::uniform_real_distribution<double> share(0.001, 0.999);
  for (int n = 0; n < 1'000; ++n) {
    const Place place{GetParam().radius_m > 0 ? n % 6 : 0, share(random_), share(random_)};
    const double height_m = 10'000 * share(random_);
    const sphere::Vector point = surface_->PointOver(place, height_m);
    const Place under = surface_->PlaceUnder(point);
    EXPECT_EQ(under.face, place.face);
    EXPECT_NEAR(under.x, place.x, 1e-12);
    EXPECT_NEAR(under.y, place.y, 1e-12);
    EXPECT_NEAR(surface_->HeightOf(point), height_m, 1e-8);
    EXPECT_NEAR(surface_->HeightOf(point + 5.0 * surface_->UpAt(point)), height_m + 5, 1e-8);
    // A step to the north does not change the height.
    EXPECT_NEAR(surface_->HeightOf(point + 0.01 * surface_->NorthAt(point)), height_m, 1e-8);
    EXPECT_NEAR(Length(surface_->NorthAt(point)), 1, 1e-12);
  }
}

// No part of a tile's ground is nearer than the tile's distance. No part in the picture counts as
// hidden.
TEST_P(SurfaceTest, SightIsNeverTooFarAndHidesNothingVisible) {
  std::uniform_real_distribution<double> share(0, 1);
  const double side = TileSizeM(GetParam(), 0);
  int hidden = 0;
  int nearest_found = 0;
  for (int n = 0; n < 2'000; ++n) {
    const TileKey key = RandomKey(GetParam(), n % 8, random_);
    const Heights heights{-100 * share(random_), 5'000 * share(random_)};
    const Place eye{static_cast<int>(GetParam().radius_m > 0 ? random_() % 6 : 0), share(random_),
                    share(random_)};
    View view;
    view.position =
        surface_->PointOver(eye, heights.max_m + side * std::exp2(-10 * share(random_)));
    view.direction = {share(random_) - 0.5, share(random_) - 0.5, share(random_) - 0.5};
    const Viewer viewer = ViewerOf(view, *surface_, std::nullopt);
    const Sight sight = surface_->SightOf(key, heights, viewer);
    hidden += sight.may_show ? 0 : 1;
    double nearest_m = 1e12;
    for (int column = 0; column <= 256; column += 32) {
      for (int row = 0; row <= 256; row += 32) {
        const Place place = PlaceOf(key, column, row);
        for (const double height : {heights.min_m, heights.max_m}) {
          const sphere::Vector point = surface_->PointOver(place, height);
          nearest_m = std::min(nearest_m, Length(point - view.position));
          EXPECT_TRUE(sight.may_show || !viewer.frustum.MayShow({point, 0}));
        }
      }
    }
    EXPECT_LE(sight.distance_m, nearest_m + 1e-3);
    const double spacing = TileSizeM(GetParam(), key.level) / 8;
    if (nearest_m < sight.distance_m + spacing) ++nearest_found;
    EXPECT_LE(std::abs(nearest_m - sight.distance_m), spacing + heights.max_m - heights.min_m);
  }
  EXPECT_GT(hidden, 500);
  EXPECT_GT(nearest_found, 1'900);
}

TEST_P(SurfaceTest, ErrorsNameTheRangeOfTilesInTheWorld) {
  const absl::Status face = surface_->Check({.face = 6});
  EXPECT_THAT(std::string(face.message()),
              AllOf(HasSubstr("invalid tile face: expected 0"), HasSubstr(", got 6")));
  const absl::Status level = surface_->Check({.level = 12});
  EXPECT_THAT(std::string(level.message()), HasSubstr("0 to 11"));
}

}  // namespace
}  // namespace thalweg::lod
