#include "server/tile/check_tile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "server/tile/layers/tile_layers.h"
#include "server/tile/tile_contents.h"
#include "tests/field/test_world.h"

namespace thalweg::tile {
namespace {

using ::testing::HasSubstr;

class CheckTileTest : public testing::Test {
 protected:
  CheckTileTest() {
    query_.world = field::TestWorld();
    query_.key = {0, 2, -3, 5};
    query_.layers.Add(v1::LAYER_FLOW);
    const Sources sources = SourcesOf(query_.layers.List());
    field::TileValues values;
    values.planes.resize(sources.layers.size());
    for (auto& plane : values.planes) plane.resize(257 * 257, 65'536);
    bytes_ = *EncodeTile(query_, values).bytes;
  }

  // Changes the tile and returns the error of its check.
  std::string ErrorOf(const std::function<void(v1::Tile&)>& change) const {
    v1::Tile tile;
    EXPECT_TRUE(tile.ParseFromString(bytes_));
    change(tile);
    const absl::Status status = CheckTile(IdOf(query_), tile.SerializeAsString()).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    return std::string(status.message());
  }

  TileQuery query_;
  std::string bytes_;
};

TEST_F(CheckTileTest, AcceptsTheRequestedTile) {
  EXPECT_TRUE(CheckTile(IdOf(query_), bytes_).ok()) << CheckTile(IdOf(query_), bytes_).status();
}

TEST_F(CheckTileTest, RefusesInvalidBytes) {
  for (const std::string& bytes : {std::string(), std::string("no tile"), std::string(1'000, 'x'),
                                   bytes_.substr(0, bytes_.size() - 1)}) {
    EXPECT_EQ(CheckTile(IdOf(query_), bytes).status().code(), absl::StatusCode::kDataLoss);
  }
  EXPECT_THAT(std::string(CheckTile(IdOf(query_), "no tile").status().message()),
              HasSubstr("the 7 bytes are not a tile"));
}

TEST_F(CheckTileTest, NamesTheFieldThatDiffers) {
  EXPECT_THAT(ErrorOf([](v1::Tile& tile) { tile.mutable_key()->set_x(4); }),
              HasSubstr("invalid tile's key: expected 0/2/-3/5, got 0/2/4/5"));
  EXPECT_THAT(ErrorOf([](v1::Tile& tile) { tile.mutable_key()->set_face(1U << 31); }),
              HasSubstr("key"));
  EXPECT_THAT(ErrorOf([](v1::Tile& tile) { (*tile.mutable_world_id())[3] ^= 1; }),
              HasSubstr("world"));
  EXPECT_THAT(ErrorOf([](v1::Tile& tile) { tile.set_tag(tile.tag() + 1); }), HasSubstr("tag"));
  EXPECT_THAT(ErrorOf([](v1::Tile& tile) { tile.set_generator_version(1); }),
              HasSubstr("generator version"));
}

TEST_F(CheckTileTest, AcceptsOnlyTheRequestedLayers) {
  EXPECT_THAT(ErrorOf([](v1::Tile& tile) { tile.clear_layers(); }),
              HasSubstr("invalid tile's layers: expected 1, 2, got "));
  EXPECT_THAT(ErrorOf([](v1::Tile& tile) { tile.mutable_layers()->RemoveLast(); }),
              HasSubstr("invalid tile's layers: expected 1, 2, got 1"));
  EXPECT_THAT(ErrorOf([](v1::Tile& tile) { tile.mutable_layers()->SwapElements(0, 1); }),
              HasSubstr("got 2, 1"));
  EXPECT_THAT(ErrorOf([](v1::Tile& tile) { *tile.add_layers() = tile.layers(1); }),
              HasSubstr("got 1, 2, 2"));
  EXPECT_THAT(ErrorOf([](v1::Tile& tile) {
                tile.mutable_layers(1)->set_layer(static_cast<v1::Layer>(12'345));
              }),
              HasSubstr("got 1, 12345"));
}

TEST_F(CheckTileTest, ATileIsValidForOneIdOnly) {
  TileQuery other = query_;
  other.precision = v1::PRECISION_EXACT;
  EXPECT_FALSE(CheckTile(IdOf(other), bytes_).ok());
  other = query_;
  other.layers.Add(v1::LAYER_SLOPE);
  EXPECT_FALSE(CheckTile(IdOf(other), bytes_).ok());
  other = query_;
  other.world = field::TestWorld(6, 2);
  EXPECT_FALSE(CheckTile(IdOf(other), bytes_).ok());
}

}  // namespace
}  // namespace thalweg::tile
