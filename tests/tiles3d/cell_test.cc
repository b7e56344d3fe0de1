#include "server/tiles3d/cell.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "server/geographic/ellipsoid.h"
#include "tests/field/planet_world.h"

namespace thalweg::tiles3d {
namespace {

// The point with S2's coordinates (s, t), by S2's formulas (s2coords.h: STtoUV of the quadratic
// projection, FaceUVtoXYZ).
sphere::Vector S2Point(int face, double s, double t) {
  const auto on_cube = [](double at) {
    return at >= 0.5 ? (4 * at * at - 1) / 3 : (1 - 4 * (1 - at) * (1 - at)) / 3;
  };
  const double u = on_cube(s);
  const double v = on_cube(t);
  const std::array<sphere::Vector, 6> points = {
      {{1, u, v}, {-u, 1, v}, {-u, -v, 1}, {-1, -v, -u}, {v, -1, -u}, {v, u, -1}}};
  return Unit(points[static_cast<std::size_t>(face)]);
}

TEST(CellTest, EqualsTheTileOfItsS2Cell) {
  std::mt19937 random(3);
  for (int n = 0; n < 2'000; ++n) {
    const int level = static_cast<int>(random() % 19);
    const auto drawn = [&] { return static_cast<std::int64_t>(random()) % (1LL << level); };
    const Cell cell = {static_cast<int>(random() % 6), level, drawn(), drawn()};
    const int column = static_cast<int>(random() % 257);
    const int row = static_cast<int>(random() % 257);
    const sphere::Vector found = DirectionOf(TileOf(cell), column, row);
    const sphere::Vector expected =
        S2Point(cell.face, std::ldexp(static_cast<double>(cell.x) + column / 256.0, -level),
                std::ldexp(static_cast<double>(cell.y) + 1 - row / 256.0, -level));
    EXPECT_LT(sphere::Length(found - expected), 1e-14);
  }
}

TEST(CellTest, TokensMatchTheSpecification) {
  // The tokens in the example of global coverage in 3DTILES_bounding_volume_S2.
  const char* const expected[] = {"1", "3", "5", "7", "9", "b"};
  for (int face = 0; face < 6; ++face) EXPECT_EQ(TokenOf(face), expected[face]);
}

TEST(CellTest, ChildrenAreInTheirParent) {
  const Cell parent = {4, 5, 9, 30};
  EXPECT_EQ(Below(parent, 1, 1, 0), (Cell{4, 6, 19, 60}));
  EXPECT_EQ(Below(parent, 3, 0, 7), (Cell{4, 8, 72, 247}));
}

TEST(CellTest, CellsOffThePlanetAreNotFound) {
  const auto world = field::PlanetWorld(4);
  EXPECT_TRUE(CheckCell({5, 3, 7, 7}, *world).ok());
  for (const Cell& cell : {Cell{6, 0, 0, 0},
                           {-1, 0, 0, 0},
                           {0, 4, 0, 0},
                           {0, -1, 0, 0},
                           {0, 3, 8, 0},
                           {0, 3, 0, 8},
                           {0, 3, -1, 0},
                           {0, 3, 0, std::numeric_limits<std::int64_t>::max()}}) {
    EXPECT_TRUE(absl::IsNotFound(CheckCell(cell, *world)));
  }
}

}  // namespace
}  // namespace thalweg::tiles3d
