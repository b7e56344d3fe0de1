// Places and tiles of planets, in space.
#include "thalweg/planet.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "client/src/contract/messages.h"
#include "proto/geometry/cube_sphere.h"
#include "proto/geometry/surface.h"

namespace thalweg {
namespace {

constexpr double kEarthM = 6'371'000;

double Apart(const SpaceVector& a, const SpaceVector& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

TEST(PlanetTest, FindsPlacesByLatitudeAndLongitude) {
  EXPECT_LT(Apart(SpacePointOf({0, 0}, kEarthM), {kEarthM, 0, 0}), 1e-6);
  EXPECT_LT(Apart(SpacePointOf({0, 90}, kEarthM), {0, kEarthM, 0}), 1e-6);
  EXPECT_LT(Apart(SpacePointOf({90, 17}, kEarthM), {0, 0, kEarthM}), 1e-6);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> latitude(-89, 89);
  std::uniform_real_distribution<double> longitude(-179, 179);
  for (int n = 0; n < 1'000; ++n) {
    const LatLong place{latitude(random), longitude(random)};
    const LatLong again = LatLongOf(SpacePointOf(place, kEarthM + 8'000));
    EXPECT_NEAR(again.latitude, place.latitude, 1e-12);
    EXPECT_NEAR(again.longitude, place.longitude, 1e-12);
  }
  EXPECT_EQ(LatLongOf({0, 0, 0}).latitude, 90);
}

TEST(PlanetTest, TheCompassIsRightHanded) {
  const Compass compass = CompassAt({kEarthM, 0, 0});
  EXPECT_LT(Apart(compass.up, {1, 0, 0}), 1e-15);
  EXPECT_LT(Apart(compass.north, {0, 0, 1}), 1e-15);
  EXPECT_LT(Apart(compass.east, {0, 1, 0}), 1e-15);
}

// The three floats of a vertex.
SpaceVector At(const std::vector<float>& floats, std::size_t vertex) {
  const auto number = [&](std::size_t k) { return static_cast<double>(floats[3 * vertex + k]); };
  return {number(0), number(1), number(2)};
}

// The largest error of a tile's vertices, relative to positions that are computed in doubles.
double PositionErrorM(const TileKey& key, std::mt19937_64& random) {
  const auto planet = lod::SurfaceOf({.radius_m = kEarthM});
  std::vector<std::int32_t> heights(kTileVertices * kTileVertices);
  for (std::int32_t& height : heights) height = static_cast<std::int32_t>(random()) / 4;
  const TileVertices vertices = TileVerticesOf(key, kEarthM, heights);
  double worst_m = 0;
  for (std::size_t n = 0; n < heights.size(); n += 97) {
    const auto column = static_cast<int>(n % kTileVertices);
    const auto row = static_cast<int>(n / kTileVertices);
    const sphere::Vector exact = planet->PointOver(
        lod::PlaceOf({key.face, key.level, key.x, key.y}, column, row), heights[n] / 65'536.0);
    const SpaceVector& origin = vertices.origin_m;
    const SpaceVector at = At(vertices.positions_m, n);
    worst_m = std::max(worst_m, Apart({origin.x + at.x, origin.y + at.y, origin.z + at.z},
                                      {exact.x, exact.y, exact.z}));
  }
  return worst_m;
}

TEST(PlanetTest, VerticesAreWithinAMillimetreOfTheirPlaces) {
  std::mt19937_64 random(2);
  for (int level = 0; level < 21; ++level) {
    const std::int64_t last = (std::int64_t{1} << level) - 1;
    std::uniform_int_distribution<std::int64_t> tile(0, last);
    const TileKey key{.level = level,
                      .x = tile(random),
                      .y = tile(random),
                      .face = static_cast<int>(random() % 6)};
    // 1 mm for tiles of up to 16 km. For larger tiles, 1 / 16,000,000 of their size.
    const double size_m = std::ldexp(kEarthM * 1.8, -level);
    EXPECT_LT(PositionErrorM(key, random), std::max(0.001, size_m / 16'000'000)) << level;
  }
}

// Every vertex of a tile's border is also one of the tile beside it, at the same point in space.
TEST(PlanetTest, NeighboursMeetAcrossEdgesOfFaces) {
  const std::vector<std::int32_t> flat(kTileVertices * kTileVertices, 65'536 * 100);
  const auto planet = lod::SurfaceOf({.levels = 21, .radius_m = kEarthM});
  std::mt19937_64 random(3);
  for (int n = 0; n < 60; ++n) {
    const int level = 10 + n % 8;
    const std::int64_t last = (std::int64_t{1} << level) - 1;
    const std::int64_t along = std::uniform_int_distribution<std::int64_t>(0, last)(random);
    // Tiles at the eastern side of a face, and at the northern one.
    const bool east = n % 2 == 0;
    const wire::TileKey key{
        .face = n % 6, .level = level, .x = east ? last : along, .y = east ? along : 0};
    const wire::TileKey beyond = planet->TouchingOf(key)[east ? 4 : 1];
    ASSERT_NE(beyond.face, key.face);
    const TileVertices own = TileVerticesOf(ToPublic(key), kEarthM, flat);
    const TileVertices other = TileVerticesOf(ToPublic(beyond), kEarthM, flat);
    const auto point = [](const TileVertices& tile, std::size_t vertex) {
      const SpaceVector at = At(tile.positions_m, vertex);
      return SpaceVector{tile.origin_m.x + at.x, tile.origin_m.y + at.y, tile.origin_m.z + at.z};
    };
    const std::int64_t cells = std::int64_t{kTileCells} << level;
    for (int at = 0; at <= kTileCells; at += 16) {
      const int column = east ? kTileCells : at;
      const int row = east ? at : 0;
      const sphere::Vertex vertex =
          sphere::Across({key.face, key.x * kTileCells + column, key.y * kTileCells + row},
                         east ? sphere::Side::kEast : sphere::Side::kNorth, cells);
      const auto there = static_cast<std::size_t>(
          (vertex.y - beyond.y * kTileCells) * kTileVertices + vertex.x - beyond.x * kTileCells);
      const auto here =
          static_cast<std::size_t>(row) * kTileVertices + static_cast<std::size_t>(column);
      EXPECT_LT(Apart(point(own, here), point(other, there)), 0.001);
    }
  }
}

TEST(PlanetTest, NormalsOfFlatGroundPointUp) {
  const std::vector<std::int32_t> flat(kTileVertices * kTileVertices, 65'536 * 100);
  for (int face = 0; face < 6; ++face) {
    const TileVertices vertices =
        TileVerticesOf({.level = 9, .x = 300, .y = 17, .face = face}, kEarthM, flat);
    for (std::size_t n = 0; n < flat.size(); n += 1'001) {
      EXPECT_LT(Apart(At(vertices.normals, n), At(vertices.ups, n)), 1e-4);
    }
    const SpaceVector& origin = vertices.origin_m;
    const SpaceVector up = CompassAt(origin).up;
    EXPECT_LT(Apart(At(vertices.ups, 128 * 257 + 128), up), 1e-6);
    EXPECT_NEAR(std::hypot(origin.x, origin.y, origin.z), kEarthM, 1e-6);
  }
}

TEST(PlanetTest, NormalsOfRisingGroundLeanBack) {
  std::vector<std::int32_t> heights(kTileVertices * kTileVertices);
  // The ground rises to the east of face 0. There, east is y.
  for (std::size_t n = 0; n < heights.size(); ++n) {
    heights[n] = static_cast<std::int32_t>(n % kTileVertices) * 65'536 * 50;
  }
  const TileVertices vertices = TileVerticesOf({.level = 9, .x = 256, .y = 256}, kEarthM, heights);
  EXPECT_LT(At(vertices.normals, 1'000).y, -0.1);
}

TEST(PlanetTest, InvalidTilesHaveNoVertices) {
  const std::vector<std::int32_t> heights(kTileVertices * kTileVertices);
  EXPECT_TRUE(TileVerticesOf({.face = 6}, kEarthM, heights).positions_m.empty());
  EXPECT_TRUE(TileVerticesOf({.level = 1, .x = 2}, kEarthM, heights).positions_m.empty());
  EXPECT_TRUE(TileVerticesOf({}, kEarthM, std::span(heights).first(7)).positions_m.empty());
}

}  // namespace
}  // namespace thalweg
