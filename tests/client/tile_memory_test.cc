#include "client/src/store/tile_memory.h"

#include <gtest/gtest.h>

namespace thalweg {
namespace {

wire::TileKey Key(std::int64_t x) { return {.level = 3, .x = x}; }

std::shared_ptr<const Tile> MakeTile(std::int64_t x) {
  auto tile = std::make_shared<Tile>();
  tile->key = {3, x, 0};
  tile->planes.push_back({.layer = Layer::kHeight, .values = std::vector<std::int32_t>(25)});
  return tile;
}

TEST(TileMemoryTest, EvictsTheLeastRecentlyPinned) {
  TileMemory memory(10 * 100);
  for (int x = 0; x < 10; ++x) memory.Put(MakeTile(x));
  EXPECT_EQ(memory.bytes(), 1'000U);
  EXPECT_TRUE(memory.Evict().empty());
  memory.Pin({Key(0), Key(1), Key(2), Key(3)});
  memory.Pin({Key(0), Key(4), Key(99)});
  memory.Put(MakeTile(10));
  memory.Put(MakeTile(11));
  const auto evicted = memory.Evict();
  EXPECT_EQ(evicted, (std::vector{Key(9), Key(8), Key(7)}));
  EXPECT_LE(memory.bytes(), 1'000U);
  EXPECT_FALSE(memory.Contains(Key(9)));
  EXPECT_EQ(memory.Get(Key(9)), nullptr);
  EXPECT_NE(memory.Get(Key(1)), nullptr);
}

TEST(TileMemoryTest, PinnedTilesStayDespiteTheBudget) {
  TileMemory memory(100);
  for (int x = 0; x < 5; ++x) memory.Put(MakeTile(x));
  memory.Pin({Key(0), Key(1), Key(2)});
  EXPECT_EQ(memory.Evict().size(), 2U);
  EXPECT_EQ(memory.size(), 3U);
}

TEST(TileMemoryTest, ATileReplacesTheOneWithItsKey) {
  TileMemory memory(1'000);
  memory.Put(MakeTile(1));
  const auto other = MakeTile(1);
  memory.Put(other);
  EXPECT_EQ(memory.bytes(), 100U);
  EXPECT_EQ(memory.Get(Key(1)), other);
  memory.Clear();
  EXPECT_EQ(memory.bytes(), 0U);
}

}  // namespace
}  // namespace thalweg
