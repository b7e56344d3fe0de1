#include "server/tile/layers/tile_ground.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "proto/geometry/cube_sphere.h"
#include "server/world/level_program.h"
#include "tests/field/planet_world.h"
#include "tests/proto/geometry/continued.h"

namespace thalweg::tile {
namespace {

using sphere::Vertex;

constexpr int kLevel = 3;
constexpr std::int64_t kCells = std::int64_t{256} << kLevel;

sphere::Vector PointAt(const Vertex& vertex) {
  return PointOf(sphere::FacePlace{vertex.face, static_cast<double>(vertex.x) / kCells,
                                   static_cast<double>(vertex.y) / kCells});
}

// Ground that rises linearly along an axis of space, in height units.
struct Ground {
  sphere::Vector axis;

  double At(const Vertex& vertex) const {
    const sphere::Vector p = PointAt(sphere::Continued(vertex, kCells));
    constexpr double kReliefM = 1e6;
    return std::round(kReliefM * 65536 * (axis.x * p.x + axis.y * p.y + axis.z * p.z) / 1024);
  }
  Rise RiseAt(const Vertex& v) const {
    return {At({v.face, v.x + 1, v.y}) - At({v.face, v.x - 1, v.y}),
            At({v.face, v.x, v.y + 1}) - At({v.face, v.x, v.y - 1})};
  }
  // The tangent of the ground's slope.
  double SlopeAt(const Vertex& v) const {
    const sphere::Vector p = PointAt(v);
    const double along = axis.x * p.x + axis.y * p.y + axis.z * p.z;
    const double square = axis.x * axis.x + axis.y * axis.y + axis.z * axis.z - along * along;
    return 1e6 / 1024 * std::sqrt(square) / field::kPlanetRadiusM;
  }
};

class TileGroundTest : public testing::Test {
 protected:
  std::int32_t SlopeBy(const Ground& ground, const Vertex& v) const {
    const auto [key, x, y] = TileOf(v);
    const TileGround tile(*world_, key);
    return SlopeOf(tile.AlongOwner(ground.RiseAt(v), x, y), Run());
  }
  double Run() const { return 2 * world::CellHeightUnits(world_->level(kLevel).cell_size_m); }

  struct Place {
    wire::TileKey key;
    int x;
    int y;
  };
  static Place TileOf(const Vertex& v) {
    const auto tile = [](std::int64_t n) { return std::min(n / 256, kCells / 256 - 1); };
    const wire::TileKey key{v.face, kLevel, tile(v.x), tile(v.y)};
    return {key, static_cast<int>(v.x - key.x * 256), static_cast<int>(v.y - key.y * 256)};
  }
  Ground RandomGround() {
    std::normal_distribution<double> normal;
    return {{20 * normal(random_), 20 * normal(random_), 20 * normal(random_)}};
  }
  std::int64_t Below(std::int64_t end) {
    return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random_);
  }

  std::shared_ptr<const world::World> world_ = field::PlanetWorld();
  std::mt19937_64 random_{1};
};

TEST_F(TileGroundTest, SlopesAreTrueEverywhere) {
  for (int n = 0; n < 2000; ++n) {
    const Ground ground = RandomGround();
    const Vertex v{static_cast<int>(Below(6)), 1 + Below(kCells - 1), 1 + Below(kCells - 1)};
    const double wanted = ground.SlopeAt(v) * 65536;
    EXPECT_NEAR(SlopeBy(ground, v), wanted, 0.01 * wanted + 2);
  }
}

TEST_F(TileGroundTest, FacesAgreeOnEdgesAndCorners) {
  for (int n = 0; n < 2000; ++n) {
    const Ground ground = RandomGround();
    const bool corner = n % 4 == 0;
    const Vertex v{static_cast<int>(Below(6)), n % 2 == 0 ? 0 : kCells,
                   corner ? (n % 8 == 0 ? 0 : kCells) : Below(kCells + 1)};
    const std::int32_t slope = SlopeBy(ground, v);
    for (const Vertex& same : SameAs(v, kCells)) EXPECT_EQ(SlopeBy(ground, same), slope);
    const double wanted = ground.SlopeAt(v) * 65536;
    EXPECT_NEAR(slope, wanted, 0.02 * wanted + 2);
  }
}

// The twin: by their own axes, faces get other slopes.
TEST_F(TileGroundTest, RisesAlongTheFacesAxesDiffer) {
  const Ground ground = RandomGround();
  const Vertex v{0, kCells, 200};
  const Vertex other = sphere::Across(v, sphere::Side::kEast, kCells);
  const auto raw = [&](const Vertex& at) { return SlopeOf(ground.RiseAt(at), Run()); };
  EXPECT_NE(SlopeBy(ground, v), raw(v));
  EXPECT_NE(raw(v), SlopeOf(ground.RiseAt({0, kCells / 2, kCells / 2}), Run()));
  EXPECT_EQ(SlopeBy(ground, v), SlopeBy(ground, other));
}

TEST_F(TileGroundTest, FindsTheLatitude) {
  const sphere::Vertex v{0, kCells / 2, kCells / 4};
  const auto [key, x, y] = TileOf(v);
  // Positions are rounded to 1/256 of a cell.
  const TileGround tile(*world_, key);
  EXPECT_NEAR(tile.LatitudeSine(tile.PlaceAt(x, y)), PointAt(v).z, 4e-6);
  EXPECT_GT(PointAt(v).z, 0.1);
}

}  // namespace
}  // namespace thalweg::tile
