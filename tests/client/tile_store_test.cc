#include "client/src/store/tile_store.h"

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

TEST(TileStoreTest, ThrowsOutWhatWasNotPinnedForLongest) {
  TileStore store(10 * 100);
  for (int x = 0; x < 10; ++x) store.Put(MakeTile(x));
  EXPECT_EQ(store.bytes(), 1'000U);
  EXPECT_TRUE(store.Evict().empty());
  store.Pin({Key(0), Key(1), Key(2), Key(3)});
  store.Pin({Key(0), Key(4), Key(99)});
  store.Put(MakeTile(10));
  store.Put(MakeTile(11));
  const auto evicted = store.Evict();
  EXPECT_EQ(evicted, (std::vector{Key(9), Key(8), Key(7)}));
  EXPECT_LE(store.bytes(), 1'000U);
  EXPECT_FALSE(store.Contains(Key(9)));
  EXPECT_EQ(store.Get(Key(9)), nullptr);
  EXPECT_NE(store.Get(Key(1)), nullptr);
}

TEST(TileStoreTest, PinnedTilesStayWhateverTheBudget) {
  TileStore store(100);
  for (int x = 0; x < 5; ++x) store.Put(MakeTile(x));
  store.Pin({Key(0), Key(1), Key(2)});
  EXPECT_EQ(store.Evict().size(), 2U);
  EXPECT_EQ(store.size(), 3U);
}

TEST(TileStoreTest, ATileTakesThePlaceOfItsKey) {
  TileStore store(1'000);
  store.Put(MakeTile(1));
  const auto other = MakeTile(1);
  store.Put(other);
  EXPECT_EQ(store.bytes(), 100U);
  EXPECT_EQ(store.Get(Key(1)), other);
  store.Clear();
  EXPECT_EQ(store.bytes(), 0U);
}

}  // namespace
}  // namespace thalweg
