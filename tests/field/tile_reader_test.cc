#include "server/field/tile_reader.h"

#include "gtest/gtest.h"

namespace thalweg::field {
namespace {

using world::BlockKey;

TEST(TileReaderTest, ATileIsABlockOf256) {
  EXPECT_EQ(BlockOf({0, 3, -7, 9}, 256), (BlockKey{0, 3, -7, 9}));
}

TEST(TileReaderTest, CoordinatesRoundDown) {
  EXPECT_EQ(BlockOf({0, 3, -1, 3}, 1024), (BlockKey{0, 3, -1, 0}));
  EXPECT_EQ(BlockOf({0, 3, -4, 4}, 1024), (BlockKey{0, 3, -1, 1}));
  EXPECT_EQ(BlockOf({2, 3, -5, 7}, 1024), (BlockKey{2, 3, -2, 1}));
}

TEST(TileReaderTest, FarTilesDoNotOverflow) {
  const std::int64_t far = wire::kMaxVertex / wire::kTileCells;
  EXPECT_EQ(BlockOf({0, 20, -far, far - 1}, 512), (BlockKey{0, 20, -far / 2, far / 2 - 1}));
}

}  // namespace
}  // namespace thalweg::field
