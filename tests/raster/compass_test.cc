#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "proto/geometry/cube_sphere.h"
#include "server/raster/relief.h"
#include "tests/field/planet_world.h"
#include "tests/field/test_world.h"

namespace thalweg::raster {
namespace {

constexpr int kLevel = 1;
constexpr std::int64_t kCells = std::int64_t{wire::kTileCells} << kLevel;

RasterQuery QueryOf(std::shared_ptr<const world::World> world, int face, std::int64_t x,
                    std::int64_t y, int size = 257) {
  tile::TileQuery tile_query;
  tile_query.world = std::move(world);
  tile_query.key = {face, kLevel, x, y};
  return {.tile_query = tile_query, .size = size};
}

sphere::Vector PointOf(const sphere::Vertex& vertex) {
  return sphere::PointOf(sphere::FacePlace{vertex.face, static_cast<double>(vertex.x) / kCells,
                                           static_cast<double>(vertex.y) / kCells});
}

// The normal that a tile has for a slope in space: its parts along the face's columns, and at a
// right angle to them.
picture::UnitNormal InTile(const sphere::Vertex& vertex, const sphere::Vector& leaning) {
  const sphere::Vector up = PointOf(vertex);
  const sphere::Vector axis = VectorOf(sphere::AxesOf(vertex.face).x);
  const sphere::Vector columns = Unit(axis - Dot(axis, up) * up);
  // East, south and up are left-handed: south is east x up.
  const sphere::Vector rows = Cross(columns, up);
  return {static_cast<float>(Dot(columns, leaning)), static_cast<float>(Dot(rows, leaning)), 0.5F};
}

picture::UnitNormal Turned(const sphere::Vertex& vertex, const picture::UnitNormal& normal) {
  const auto tile = [](std::int64_t at) {
    return std::min(at / wire::kTileCells, (std::int64_t{1} << kLevel) - 1);
  };
  const Compass compass(QueryOf(field::PlanetWorld(), vertex.face, tile(vertex.x), tile(vertex.y)));
  return compass.Turned(normal, static_cast<int>(vertex.x - tile(vertex.x) * wire::kTileCells),
                        static_cast<int>(vertex.y - tile(vertex.y) * wire::kTileCells));
}

TEST(CompassTest, DoesNotChangePlanes) {
  const Compass compass(QueryOf(field::TestWorld(), 0, 0, 0));
  const picture::UnitNormal turned = compass.Turned({0.25F, -0.5F, 0.75F}, 7, 11);
  EXPECT_EQ(turned.east, 0.25F);
  EXPECT_EQ(turned.south, -0.5F);
}

// A slope to the planet's east or north has this direction on every face.
TEST(CompassTest, TurnsToTheCompassOfThePlanet) {
  constexpr std::uint64_t kSeed = 11;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937_64 random(kSeed);
  for (int n = 0; n < 500; ++n) {
    const sphere::Vertex vertex{static_cast<int>(random() % 6),
                                static_cast<std::int64_t>(random() % (kCells + 1)),
                                static_cast<std::int64_t>(random() % (kCells + 1))};
    const sphere::Vector up = PointOf(vertex);
    const double across = std::hypot(up.x, up.y);
    if (across == 0) continue;
    const picture::UnitNormal east =
        Turned(vertex, InTile(vertex, {-up.y / across, up.x / across, 0}));
    EXPECT_NEAR(east.east, 1, 1e-5);
    EXPECT_NEAR(east.south, 0, 1e-5);
    const picture::UnitNormal north = Turned(vertex, InTile(vertex, {0, 0, 1}));
    EXPECT_NEAR(north.east, 0, 1e-5);
    EXPECT_NEAR(north.south, -across, 1e-5);
  }
}

TEST(CompassTest, FacesAgreeAlongTheirEdges) {
  constexpr std::uint64_t kSeed = 12;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937_64 random(kSeed);
  int differ_unturned = 0;
  for (int n = 0; n < 300; ++n) {
    sphere::Vertex vertex{static_cast<int>(random() % 6),
                          static_cast<std::int64_t>(random() % (kCells + 1)), 0};
    if (random() % 2 == 0) vertex.y = kCells;
    if (random() % 2 == 0) std::swap(vertex.x, vertex.y);
    const double angle = static_cast<double>(random() % 360) * 0.01745;
    const sphere::Vector leaning = {std::cos(angle), std::sin(angle), 0.3};
    const picture::UnitNormal here = Turned(vertex, InTile(vertex, leaning));
    for (const sphere::Vertex& other : sphere::SameAs(vertex, kCells)) {
      const picture::UnitNormal there = Turned(other, InTile(other, leaning));
      EXPECT_NEAR(here.east, there.east, 1e-5);
      EXPECT_NEAR(here.south, there.south, 1e-5);
      // The twin: the faces' own axes differ.
      const float apart = InTile(vertex, leaning).east - InTile(other, leaning).east;
      const bool same = std::abs(apart) < 1e-5F;
      differ_unturned += same ? 0 : 1;
    }
  }
  EXPECT_GT(differ_unturned, 200);
}

TEST(CompassTest, RastersOfTwiceTheSizeShowTheSamePlaces) {
  const Compass once(QueryOf(field::PlanetWorld(), 4, 1, 0));
  const Compass twice(QueryOf(field::PlanetWorld(), 4, 1, 0, 512));
  for (int i = 0; i < 256; i += 5) {
    const picture::UnitNormal normal{0.3F, 0.4F, 0.8F};
    EXPECT_EQ(once.Turned(normal, i, 255 - i).east,
              twice.Turned(normal, 2 * i, 2 * (255 - i)).east);
  }
}

}  // namespace
}  // namespace thalweg::raster
