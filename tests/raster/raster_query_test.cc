#include "server/raster/raster_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/field/test_world.h"

namespace thalweg::raster {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kEdge = wire::kMaxVertex / wire::kTileCells;

class RasterQueryTest : public testing::Test {
 protected:
  absl::StatusOr<RasterQuery> Parse(const wire::TileKey& key, int size) const {
    tile::TileQuery tile_query;
    tile_query.world = world_;
    tile_query.key = key;
    return ParseRasterQuery(std::move(tile_query), Format::kRelief, std::nullopt, size);
  }
  const std::shared_ptr<const world::World> world_ = field::TestWorld();
};

TEST_F(RasterQueryTest, LargeRastersNeedTheNextLevel) {
  EXPECT_TRUE(Parse({0, 4, 3, -2}, 512).ok());
  const auto finest = Parse({0, 5, 3, -2}, 512);
  EXPECT_EQ(finest.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(finest.status().message()),
              HasSubstr("invalid tile level: expected 0 to 5"));
  EXPECT_TRUE(Parse({0, 5, 3, -2}, 257).ok());
  // All levels have the same number of tiles. So the outer tiles' children are beyond the plane.
  EXPECT_TRUE(Parse({0, 0, kEdge / 2 - 1, -kEdge / 2}, 512).ok());
  for (const wire::TileKey& key :
       {wire::TileKey{0, 0, kEdge / 2, 0}, wire::TileKey{0, 0, 0, -kEdge / 2 - 1},
        wire::TileKey{0, 3, kEdge - 1, kEdge - 1}, wire::TileKey{0, 3, -kEdge, -kEdge}}) {
    const auto query = Parse(key, 512);
    EXPECT_EQ(query.status().code(), absl::StatusCode::kInvalidArgument) << key.x << " " << key.y;
    EXPECT_THAT(std::string(query.status().message()), HasSubstr("expected 256 or 257, got 512"));
    EXPECT_TRUE(Parse(key, 256).ok());
  }
}

TEST_F(RasterQueryTest, TheSatelliteFormatReadsTheCover) {
  const auto parse = [this](std::optional<v1::Layer> layer) {
    tile::TileQuery tile_query;
    tile_query.world = world_;
    return ParseRasterQuery(std::move(tile_query), Format::kSatellite, layer, std::nullopt);
  };
  ASSERT_TRUE(parse(std::nullopt).ok());
  EXPECT_EQ(parse(std::nullopt)->layer, v1::LAYER_COVER);
  EXPECT_TRUE(parse(v1::LAYER_COVER).ok());
  EXPECT_THAT(
      std::string(parse(v1::LAYER_SLOPE).status().message()),
      HasSubstr("invalid layer: expected cover in this format (png shows others), got slope"));
}

// The face is part of a raster's identity and of the keys of its tiles.
TEST_F(RasterQueryTest, FacesShareNoTilesOrIdentities) {
  for (const int size : {256, 512}) {
    const auto plane = Parse({0, 2, 3, -2}, size);
    ASSERT_TRUE(plane.ok());
    RasterQuery moved = *plane;
    moved.tile_query.key.face = 1;
    EXPECT_NE(IdentityOf(*plane), IdentityOf(moved));
    for (const tile::TileQuery& tile : TilesOf(moved)) EXPECT_EQ(tile.key.face, 1);
  }
}

TEST_F(RasterQueryTest, AsksOnlyForTilesOfTheWorld) {
  std::mt19937_64 random(12);
  int asked = 0;
  for (int n = 0; n < 20'000; ++n) {
    const auto coordinate = [&random] {
      const auto value = static_cast<std::int64_t>(random() >> (random() % 64)) % kEdge;
      return random() % 2 == 0 ? value : -value - 1;
    };
    const wire::TileKey key{0, static_cast<int>(random() % 6), coordinate(), coordinate()};
    constexpr int kSizes[] = {256, 257, 512};
    const auto query = Parse(key, kSizes[random() % 3]);
    if (!query.ok()) continue;
    for (const tile::TileQuery& tile : TilesOf(*query)) {
      ASSERT_TRUE(tile::CheckKey(tile.key, *world_).ok()) << key.x << " " << key.y;
      ++asked;
    }
  }
  EXPECT_GT(asked, 10'000);
}

TEST_F(RasterQueryTest, HasOneOfThreeSizes) {
  for (const int size : {1, 255, 258, 511, 513, 65'535}) {
    EXPECT_EQ(Parse({0, 0, 0, 0}, size).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST_F(RasterQueryTest, LargeRastersUseTheFourTilesBelowRowByRow) {
  std::vector<wire::TileKey> keys;
  for (const tile::TileQuery& one : TilesOf(*Parse({0, 1, 4, -3}, 512))) keys.push_back(one.key);
  EXPECT_EQ(keys, (std::vector<wire::TileKey>{
                      {0, 2, 8, -6}, {0, 2, 9, -6}, {0, 2, 8, -5}, {0, 2, 9, -5}}));
}

}  // namespace
}  // namespace thalweg::raster
