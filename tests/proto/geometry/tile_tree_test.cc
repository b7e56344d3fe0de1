#include "proto/geometry/tile_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <set>

namespace thalweg::lod {
namespace {

using testing::UnorderedElementsAreArray;
using wire::TileKey;

TEST(TileTreeTest, ChildrenHaveTheirParent) {
  for (const TileKey key : {TileKey{.level = 3, .x = 5, .y = -7}, TileKey{.x = -1, .y = -1}}) {
    for (const TileKey& child : ChildrenOf(key)) EXPECT_EQ(ParentOf(child), key);
  }
}

TEST(TileTreeTest, NegativeTilesRoundDown) {
  EXPECT_EQ(ParentOf({.level = 1, .x = -1, .y = -2}), (TileKey{.x = -1, .y = -1}));
  EXPECT_EQ(AncestorOf({.level = 4, .x = -17, .y = 16}, 0), (TileKey{.x = -2, .y = 1}));
  EXPECT_EQ(AncestorOf({.level = 4, .x = 3, .y = 4}, 4), (TileKey{.level = 4, .x = 3, .y = 4}));
}

TEST(TileTreeTest, SquaresAroundAreInRowOrder) {
  const TileKey key{.level = 2, .x = -1, .y = 6};
  const auto squares = SquaresAround(key);
  EXPECT_EQ(squares.front(), (TileKey{.level = 2, .x = -2, .y = 5}));
  EXPECT_EQ(squares[2], (TileKey{.level = 2, .x = 0, .y = 5}));
  EXPECT_EQ(squares[3], (TileKey{.level = 2, .x = -2, .y = 6}));
  EXPECT_EQ(squares.back(), (TileKey{.level = 2, .x = 0, .y = 7}));
}

TEST(TileTreeTest, ParentSquaresIncludeThoseOfNeighbours) {
  for (const std::int64_t x : {-8, -7, 0, 1, 12}) {
    for (const std::int64_t y : {-3, -2, 0, 5}) {
      const TileKey key{.level = 3, .x = x, .y = y};
      std::set<TileKey> parents{ParentOf(key)};
      for (const TileKey& other : SquaresAround(key)) parents.insert(ParentOf(other));
      EXPECT_THAT(ParentSquaresAround(key), UnorderedElementsAreArray(parents));
    }
  }
}

}  // namespace
}  // namespace thalweg::lod
