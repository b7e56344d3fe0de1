#include "server/field/block_store.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/field/test_block.h"

namespace thalweg::field {
namespace {

BlockId Id(int x) { return {"world", {0, 0, x, 0}}; }

std::size_t OneBlock() { return MakeTestBlock()->bytes(); }

TEST(BlockStoreTest, FindsByWorldAndKey) {
  BlockStore store(10 * OneBlock());
  const BlockPtr block = MakeTestBlock();
  store.Insert({Id(1)}, block);
  EXPECT_EQ(store.Find(Id(1)), block);
  EXPECT_EQ(store.Find(Id(2)), nullptr);
  EXPECT_EQ(store.Find({"another", {0, 0, 1, 0}}), nullptr);
}

TEST(BlockStoreTest, TrimDropsTheLeastRecentlyUsed) {
  BlockStore store(2 * OneBlock());
  for (const int x : {1, 2, 3}) store.Insert({Id(x)}, MakeTestBlock());
  EXPECT_NE(store.Find(Id(1)), nullptr);
  store.Trim();
  EXPECT_EQ(store.size(), 2u);
  EXPECT_NE(store.Find(Id(1)), nullptr);
  EXPECT_EQ(store.Find(Id(2)), nullptr);
  EXPECT_NE(store.Find(Id(3)), nullptr);
}

TEST(BlockStoreTest, TrimKeepsABlockInUseUntilItIsReleased) {
  BlockStore store(OneBlock());
  BlockPtr held = MakeTestBlock();
  store.Insert({Id(1)}, held);
  store.Insert({Id(2)}, MakeTestBlock());
  store.Trim();
  EXPECT_NE(store.Find(Id(1)), nullptr);
  EXPECT_EQ(store.Find(Id(2)), nullptr);
  EXPECT_EQ(store.bytes(), OneBlock());
  store.Insert({Id(3)}, MakeTestBlock());
  held.reset();
  store.Trim();
  EXPECT_EQ(store.Find(Id(1)), nullptr);
  EXPECT_NE(store.Find(Id(3)), nullptr);
}

TEST(BlockStoreTest, OneBlockMayHaveSeveralNames) {
  BlockStore store(10 * OneBlock());
  store.Insert({Id(1), Id(2)}, MakeTestBlock());
  EXPECT_EQ(store.Find(Id(1)), store.Find(Id(2)));
  EXPECT_EQ(store.size(), 1u);
  EXPECT_EQ(store.bytes(), OneBlock());
  // The block stays: one of its names is left.
  const BlockPtr other = MakeTestBlock();
  store.Insert({Id(2)}, other);
  EXPECT_EQ(store.Find(Id(2)), other);
  EXPECT_NE(store.Find(Id(1)), nullptr);
  EXPECT_EQ(store.bytes(), 2 * OneBlock());
  store.Insert({Id(1), Id(2)}, other);
  EXPECT_EQ(store.size(), 1u);
  EXPECT_EQ(store.bytes(), OneBlock());
}

TEST(BlockStoreTest, TrimDropsAllNamesOfABlock) {
  BlockStore store(OneBlock());
  store.Insert({Id(1), Id(2)}, MakeTestBlock());
  store.Insert({Id(3)}, MakeTestBlock());
  store.Trim();
  EXPECT_EQ(store.Find(Id(1)), nullptr);
  EXPECT_EQ(store.Find(Id(2)), nullptr);
  EXPECT_NE(store.Find(Id(3)), nullptr);
}

TEST(BlockStoreTest, InsertReplacesAndCountsBytes) {
  BlockStore store(10 * OneBlock());
  store.Insert({Id(1)}, MakeTestBlock());
  const BlockPtr richer = MakeTestBlock({backend::Layer::kWashLoad, backend::Layer::kUplift});
  store.Insert({Id(1)}, richer);
  EXPECT_EQ(store.size(), 1u);
  EXPECT_EQ(store.bytes(), richer->bytes());
  EXPECT_GT(store.bytes(), OneBlock());
  store.Clear();
  EXPECT_EQ(store.bytes(), 0u);
  EXPECT_EQ(store.Find(Id(1)), nullptr);
}

}  // namespace
}  // namespace thalweg::field
