#include "client/src/ground/ground.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "client/src/contract/messages.h"
#include "client/src/ground/rays.h"
#include "proto/geometry/tile_tree.h"
#include "tests/client/fake_session.h"

namespace thalweg {
namespace {

using client_test::GroundAt;

constexpr lod::WorldGrid kGrid{.cell_size_m = 64, .levels = 4};

// A tile of level 0, two of its children, and one grandchild.
class GroundTest : public ::testing::Test {
 protected:
  GroundTest() {
    for (const wire::TileKey& key :
         {wire::TileKey{.level = 0}, wire::TileKey{.level = 1}, wire::TileKey{.level = 1, .x = 1},
          wire::TileKey{.level = 2, .x = 1, .y = 1}}) {
      const auto tile =
          FromMessage(client_test::MakeGroundTile(kGrid, "0123456789abcdef", key), {});
      EXPECT_TRUE(tile.ok()) << tile.status();
      tiles_[key] = std::make_shared<const Tile>(*tile);
    }
  }

  std::shared_ptr<const Tile> At(const wire::TileKey& key) const {
    const auto found = tiles_.find(key);
    return found == tiles_.end() ? nullptr : found->second;
  }
  std::optional<double> Height(double east, double south) const {
    return GroundHeightAt(
        kGrid, [this](const wire::TileKey& key) { return At(key); },
        lod::SurfaceOf(kGrid)->PlaceUnder({east, south, 0}));
  }
  std::optional<RayHit> Cast(const Vector3& origin, const Vector3& direction, double most) const {
    return CastRayOnGround(
        kGrid, [this](const wire::TileKey& key) { return At(key); },
        {origin.east, origin.south, origin.up}, {direction.east, direction.south, direction.up},
        most);
  }

  std::map<wire::TileKey, std::shared_ptr<const Tile>> tiles_;
};

TEST_F(GroundTest, HeightsComeFromTheFinestTile) {
  // Vertices of levels 2, 1 and 0.
  EXPECT_DOUBLE_EQ(Height(16 * 300, 16 * 400).value_or(-1),
                   GroundAt(kGrid, 2, 300, 400) / 65'536.0);
  EXPECT_DOUBLE_EQ(Height(32 * 20, 32 * 30).value_or(-1), GroundAt(kGrid, 1, 20, 30) / 65'536.0);
  EXPECT_DOUBLE_EQ(Height(64 * 9, 64 * 200).value_or(-1), GroundAt(kGrid, 0, 9, 200) / 65'536.0);
  // In a cell's middle, the height is the mean of its four vertices.
  const double mean = (GroundAt(kGrid, 0, 9, 200) + GroundAt(kGrid, 0, 10, 200) +
                       GroundAt(kGrid, 0, 9, 201) + GroundAt(kGrid, 0, 10, 201)) /
                      4.0 / 65'536;
  EXPECT_NEAR(Height(64 * 9.5, 64 * 200.5).value_or(-1), mean, 1e-9);
  EXPECT_EQ(Height(-1, 0), std::nullopt);
  EXPECT_EQ(Height(1e300, 0), std::nullopt);
}

// A ray's hit is on the ground. Before its hit, the ray is above the ground everywhere.
TEST_F(GroundTest, RaysEndOnTheGround) {
  std::mt19937_64 random(7);
  const auto uniform = [&](double least, double most) {
    return std::uniform_real_distribution(least, most)(random);
  };
  int hits = 0;
  for (int n = 0; n < 300; ++n) {
    const Vector3 origin{uniform(100, 16'000), uniform(100, 16'000), uniform(950, 2'500)};
    const Vector3 direction{uniform(-1, 1), uniform(-1, 1), uniform(-0.8, 0.05)};
    const auto hit = Cast(origin, direction, 40'000);
    const double length = std::hypot(direction.east, direction.south, direction.up);
    const double end = hit ? hit->distance_m : 40'000;
    for (double at = 0; at < end - 1; at += 37) {
      const auto ground = Height(origin.east + at * direction.east / length,
                                 origin.south + at * direction.south / length);
      if (!ground) break;
      ASSERT_GT(origin.up + at * direction.up / length, *ground - 1e-6) << "ray " << n;
    }
    if (!hit) continue;
    ++hits;
    const auto ground = Height(hit->position_m.east, hit->position_m.south);
    ASSERT_TRUE(ground.has_value()) << "ray " << n;
    EXPECT_NEAR(hit->position_m.up, *ground, 0.05) << "ray " << n;
  }
  EXPECT_GT(hits, 100);
}

TEST_F(GroundTest, RaysFromBelowHitToo) {
  const auto hit = Cast({1'000, 1'000, -500}, {.up = 2}, 5'000);
  ASSERT_TRUE(hit.has_value());
  EXPECT_NEAR(hit->position_m.up, Height(1'000, 1'000).value_or(-1), 1e-6);
  EXPECT_EQ(hit->level, 1);
}

TEST_F(GroundTest, RaysMayMissTheGround) {
  EXPECT_FALSE(Cast({1'000, 1'000, 5'000}, {.up = 1}, 1e6).has_value());
  EXPECT_FALSE(Cast({1'000, 1'000, 5'000}, {.up = -1}, 100).has_value());
  EXPECT_FALSE(Cast({-1e6, -1e6, 5'000}, {.east = -1, .up = -0.001}, 1e5).has_value());
  EXPECT_FALSE(Cast({1e300, 0, 0}, {.east = 1}, 1e300).has_value());
}

}  // namespace
}  // namespace thalweg
