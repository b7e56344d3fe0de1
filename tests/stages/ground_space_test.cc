// Lattices of `ground` in space, for planets.
#include "shaders/kernels/ground_space.glsl"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

#include "server/stages/ground_forms.h"
#include "shaders/kernels/ground_lattice.glsl"
#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

LevelNumbers OnPlanet(double cell_m, int finer_levels) {
  LevelNumbers level = NumbersOf(cell_m);
  level.on_sphere = true;
  level.finer_levels = finer_levels;
  return level;
}

// The rows of a turn's matrix are at right angles, and as long as the quaternion's norm.
void ExpectTurns(int packed) {
  const kernels::SpaceTurn turn = kernels::spaceTurn(packed);
  const int norm = kernels::spaceNorm(packed);
  const auto dot = [](kernels::ivec3 a, kernels::ivec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
  };
  EXPECT_EQ(dot(turn.x, turn.x), norm * norm);
  EXPECT_EQ(dot(turn.y, turn.y), norm * norm);
  EXPECT_EQ(dot(turn.z, turn.z), norm * norm);
  EXPECT_EQ(dot(turn.x, turn.y), 0);
  EXPECT_EQ(dot(turn.y, turn.z), 0);
  EXPECT_EQ(dot(turn.z, turn.x), 0);
}

TEST(GroundSpaceTest, TurnsKeepAnglesAndLengths) {
  for (const int number : {0, 1}) {
    LevelNumbers level = OnPlanet(1, 0);
    level.number = number;
    const GroundTurns turns = TurnsOf(level);
    for (const int turn : {turns.a, turns.b, turns.c, turns.d}) ExpectTurns(turn);
    EXPECT_EQ(kernels::spaceNorm(turns.a), 25);
    EXPECT_EQ(kernels::spaceNorm(turns.b), 25);
    EXPECT_EQ(kernels::spaceNorm(turns.c), 65);
    EXPECT_EQ(kernels::spaceNorm(turns.d), 65);
  }
}

// The side of a far lattice's cell, in cells of the level.
double SideOf(int lattice) {
  const double units = std::ldexp(1.0, (lattice >> 16) & 31);
  return units / kernels::spaceNorm(lattice & 0xffff) / std::ldexp(1.0, kernels::kSpaceUnitBits);
}

TEST(GroundSpaceTest, FarCellsHaveTheRightLength) {
  for (double length = 2; length < 2000; length *= 1.37) {
    for (const std::uint32_t turn : {0U, 1U, 2U}) {
      const int lattice = FarLattice(length, turn, OnPlanet(1, 0));
      ExpectTurns(lattice & 0xffff);
      EXPECT_NEAR(SideOf(lattice) / length, 1, 0.07) << length;
    }
  }
}

// A place is in the same cell of a far lattice at every level.
TEST(GroundSpaceTest, AllLevelsHaveTheSameCells) {
  constexpr int kLevels = 10;
  for (int level = 0; level + 1 < kLevels; ++level) {
    const int a = FarLattice(90, 1, OnPlanet(std::ldexp(8.0, -level), kLevels - level - 1));
    const int b = FarLattice(90, 1, OnPlanet(std::ldexp(4.0, -level), kLevels - level - 2));
    for (const std::uint32_t x : {0U, 1U, 4'000'000'000U, 123'456'789U}) {
      const std::uint32_t y = 7U * x + 5U;
      const std::uint32_t z = 3U * x + 11U;
      const kernels::SpacePlace at = kernels::farSpacePlace(x, y, z, a);
      const kernels::SpacePlace below = kernels::farSpacePlace(2 * x, 2 * y, 2 * z, b);
      EXPECT_EQ(at.x & at.mask, below.x & below.mask) << level;
      EXPECT_EQ(at.y & at.mask, below.y & below.mask) << level;
      EXPECT_EQ(at.z & at.mask, below.z & below.mask) << level;
      EXPECT_EQ(at.at, below.at) << level;
    }
  }
}

// Noise in space is as rough as noise on a plane, so a planet's ground has a plane's amplitudes.
TEST(GroundSpaceTest, NoiseIsAsRoughAsOnAPlane) {
  std::mt19937 random(20261126);
  const int plane = FarLattice(16, 1, NumbersOf(1));
  const int space = FarLattice(16, 1, OnPlanet(1, 0));
  double of_plane = 0;
  double of_space = 0;
  double mean = 0;
  constexpr int kPlaces = 40'000;
  for (int k = 0; k < kPlaces; ++k) {
    const auto x = static_cast<std::uint32_t>(random());
    const auto y = static_cast<std::uint32_t>(random());
    const auto z = static_cast<std::uint32_t>(random());
    const double flat = kernels::noiseIn(kernels::farPlace(x, y, plane), 7U);
    const double solid = kernels::noiseIn(kernels::farSpacePlace(x, y, z, space), 7U);
    of_plane += flat * flat;
    of_space += solid * solid;
    mean += solid;
  }
  EXPECT_NEAR(std::sqrt(of_space / of_plane), 1, 0.04);
  EXPECT_NEAR(mean / std::sqrt(of_space * kPlaces), 0, 0.02);
}

// A ball that the ground cuts through its middle is a circle of its radius, and one that the ground
// nearly misses is a small one.
TEST(GroundSpaceTest, GroundCutsBallsToCircles) {
  const kernels::vec3 up(0, 0.6F, 0.8F);
  const kernels::vec3 along(1, 0, 0);
  const kernels::CutBall whole = kernels::cutBall(along * 0.1F, 0.2F, up, 12345U);
  EXPECT_NEAR(whole.radius, 0.2, 0.001);
  EXPECT_NEAR(std::hypot(whole.x, whole.y), 0.5, 0.005);
  const kernels::CutBall edge = kernels::cutBall(up * 0.19F, 0.2F, up, 12345U);
  EXPECT_NEAR(edge.radius, std::sqrt(0.04 - 0.0361), 0.001);
  EXPECT_NEAR(std::hypot(edge.x, edge.y), 0, 0.02);
}

// The nearest point is the nearest of all cells around, if it is nearer than 3/4 of a cell.
TEST(GroundSpaceTest, NearPointsAreTheNearest) {
  std::mt19937 random(20261127);
  const int lattice = FarLattice(16, 1, OnPlanet(1, 0));
  for (int k = 0; k < 500; ++k) {
    const auto x = static_cast<std::uint32_t>(random());
    const auto y = static_cast<std::uint32_t>(random());
    const auto z = static_cast<std::uint32_t>(random());
    const kernels::SpacePlace place = kernels::farSpacePlace(x, y, z, lattice);
    float first = 0.5625F;
    for (std::uint32_t cell = 0; cell < 125; ++cell) {
      const std::uint32_t up = cell / 25 - 2U;
      const std::uint32_t south = cell / 5 % 5 - 2U;
      const std::uint32_t east = cell % 5 - 2U;
      const std::uint32_t row = kernels::rowHash(place, kernels::layerHash(place, 7U, up), south);
      const kernels::vec3 middle(static_cast<float>(static_cast<int>(east)) + 0.5F,
                                 static_cast<float>(static_cast<int>(south)) + 0.5F,
                                 static_cast<float>(static_cast<int>(up)) + 0.5F);
      const kernels::vec3 away =
          place.at - middle - kernels::pointOf(kernels::cellHash(place, row, east));
      first = std::fmin(first, kernels::spaceDot(away, away));
    }
    EXPECT_NEAR(kernels::nearPoints(place, 7U).first, first, 1e-5);
  }
}

}  // namespace
}  // namespace thalweg::stages
