#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include "client/src/contract/messages.h"
#include "client/src/ground/rays.h"
#include "proto/geometry/tile_tree.h"
#include "tests/client/fake_session.h"

namespace thalweg {
namespace {

constexpr double kRadiusM = 300'000;
constexpr lod::WorldGrid kBall{
    .cell_size_m = kRadiusM * std::numbers::pi / 2 / 256, .levels = 4, .radius_m = kRadiusM};

// Tiles of all faces, and finer tiles at a corner of three faces.
class SpaceRayTest : public ::testing::Test {
 protected:
  SpaceRayTest() : planet_(lod::SurfaceOf(kBall)) {
    for (const wire::TileKey& root : planet_->RootsWithin({}, 0)) {
      Add(root);
      for (const wire::TileKey& child : lod::ChildrenOf(root)) {
        if (root.face < 3) Add(child);
      }
    }
    Add({.face = 0, .level = 2, .x = 3});
  }

  void Add(const wire::TileKey& key) {
    const auto tile = FromMessage(client_test::MakeGroundTile(kBall, "0123456789abcdef", key), {});
    EXPECT_TRUE(tile.ok()) << tile.status();
    tiles_[key] = std::make_shared<const Tile>(*tile);
  }

  std::shared_ptr<const Tile> At(const wire::TileKey& key) const {
    const auto found = tiles_.find(key);
    return found == tiles_.end() ? nullptr : found->second;
  }

  // The height of a point above the ground.
  double Above(const sphere::Vector& point) const {
    const auto ground = GroundHeightAt(
        kBall, [this](const wire::TileKey& key) { return At(key); }, planet_->PlaceUnder(point));
    return planet_->HeightOf(point) - ground.value_or(NAN);
  }

  std::optional<SpaceRayHit> Cast(const sphere::Vector& origin, const sphere::Vector& direction,
                                  double max_m) const {
    return CastRayInSpace(
        *planet_, [this](const wire::TileKey& key) { return At(key); }, origin, direction, max_m);
  }

  std::unique_ptr<const lod::Surface> planet_;
  std::map<wire::TileKey, std::shared_ptr<const Tile>> tiles_;
};

sphere::Vector PointOf(const SpaceVector& v) { return {v.x, v.y, v.z}; }

// A ray's hit is on the ground. Before its hit, the ray is above the ground everywhere. A ray
// without a hit is above it to its end.
TEST_F(SpaceRayTest, RaysEndOnTheGround) {
  std::mt19937_64 random(7);
  const auto uniform = [&](double least, double most) {
    return std::uniform_real_distribution(least, most)(random);
  };
  int hits = 0;
  int misses = 0;
  for (int n = 0; n < 300; ++n) {
    // Half of them around a corner of three faces.
    const bool corner = n % 2 == 0;
    const sphere::Vector up =
        sphere::Unit(corner ? sphere::Vector{1 + uniform(-0.1, 0.1), 1 + uniform(-0.1, 0.1), 1}
                            : sphere::Vector{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)});
    const sphere::Vector origin = (kRadiusM + std::exp(uniform(7, 13))) * up;
    const sphere::Vector aim =
        uniform(0.7, 1.4) * kRadiusM *
        sphere::Unit(up +
                     sphere::Vector{uniform(-0.8, 0.8), uniform(-0.8, 0.8), uniform(-0.8, 0.8)});
    const sphere::Vector direction = sphere::Unit(aim - origin);
    constexpr double kMaxM = 2e6;
    const auto hit = Cast(origin, direction, kMaxM);
    const double end = hit ? hit->distance_m : kMaxM;
    for (double at = 0; at < end - 5; at += 331) {
      ASSERT_GT(Above(origin + at * direction), -0.5) << "ray " << n << " at " << at;
    }
    ++(hit ? hits : misses);
    if (!hit) continue;
    // The hit is on the ground, or at the step between two levels.
    EXPECT_GT(Above(PointOf(hit->position_m) - 0.1 * direction), -0.05) << "ray " << n;
    EXPECT_LT(Above(PointOf(hit->position_m) + 0.1 * direction), 0.05) << "ray " << n;
  }
  EXPECT_GT(hits, 100);
  EXPECT_GT(misses, 20);
}

TEST_F(SpaceRayTest, RaysFromBelowHitToo) {
  const auto hit = Cast({0, 0, kRadiusM - 2'000}, {0.001, 0.002, 3}, 5'000);
  ASSERT_TRUE(hit.has_value());
  EXPECT_NEAR(Above(PointOf(hit->position_m)), 0, 1e-3);
  EXPECT_EQ(hit->level, 1);
}

TEST_F(SpaceRayTest, RaysMayMissTheGround) {
  EXPECT_FALSE(Cast({0, 0, 2 * kRadiusM}, {0, 0, 1}, 1e9).has_value());
  EXPECT_FALSE(Cast({0, 0, 2 * kRadiusM}, {0, 0, -1}, 1'000).has_value());
  EXPECT_FALSE(Cast({0, 0, 2 * kRadiusM}, {0, 0, 0}, 1e9).has_value());
  EXPECT_FALSE(Cast({std::nan(""), 0, 0}, {0, 0, 1}, 1e9).has_value());
  EXPECT_FALSE(Cast({1e308, 1e308, 0}, {1, 0, 0}, 1e308).has_value());
  tiles_.clear();
  EXPECT_FALSE(Cast({0, 0, 2 * kRadiusM}, {0, 0, -1}, 1e9).has_value());
}

}  // namespace
}  // namespace thalweg
