#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "server/tile/tile_query.h"

namespace thalweg::tile {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kMaxTile = wire::kMaxVertex / wire::kTileCells;

// The tile's code in Z order: the bits of both coordinates in turn, y first.
std::uint64_t MortonOf(const wire::TileKey& key) {
  std::uint64_t code = 0;
  for (int bit = 31; bit >= 0; --bit) {
    code = code << 2 | (static_cast<std::uint64_t>(key.y) >> bit & 1) << 1 |
           (static_cast<std::uint64_t>(key.x) >> bit & 1);
  }
  return code;
}

TEST(TileRectangleTest, ListsEveryTileOnceInZOrder) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    const wire::TileKey first{0, 2, static_cast<std::int64_t>(random() % 5'000),
                              static_cast<std::int64_t>(random() % 5'000)};
    const auto columns = static_cast<std::uint32_t>(1 + random() % 40);
    const auto rows = static_cast<std::uint32_t>(1 + random() % 40);
    const auto rectangle = TileRectangle::Create(first, columns, rows, wire::Shape::kPlane, 3);
    ASSERT_TRUE(rectangle.ok()) << rectangle.status();
    ASSERT_EQ(rectangle->size(), std::size_t{columns} * rows);
    std::set<std::pair<std::int64_t, std::int64_t>> seen;
    std::uint64_t last_in_square = 0;
    for (std::size_t n = 0; n < rectangle->size(); ++n) {
      const wire::TileKey key = rectangle->TileAt(n);
      ASSERT_EQ(key.level, 2);
      ASSERT_TRUE(first.x <= key.x && key.x < first.x + columns);
      ASSERT_TRUE(first.y <= key.y && key.y < first.y + rows);
      ASSERT_TRUE(seen.insert({key.x, key.y}).second);
      // Tiles are in Z order inside each aligned square of 64 x 64. Squares may be in any order.
      const std::uint64_t code = MortonOf(key);
      if (code >> 12 == last_in_square >> 12) {
        ASSERT_GE(code, last_in_square);
      }
      last_in_square = code;
    }
  }
}

TEST(TileRectangleTest, ReachesAroundTheOriginAndTheEnds) {
  for (const auto& [x, y] : {std::pair<std::int64_t, std::int64_t>{-3, -2},
                             {-kMaxTile, -kMaxTile},
                             {kMaxTile - 5, kMaxTile - 4}}) {
    const auto rectangle = TileRectangle::Create({0, 0, x, y}, 5, 4, wire::Shape::kPlane, 1);
    ASSERT_TRUE(rectangle.ok()) << rectangle.status();
    EXPECT_EQ(rectangle->size(), 20U);
  }
}

TEST(TileRectangleTest, AcceptsTheLongestSide) {
  for (const auto& [columns, rows] : {std::pair{65'536U, 1U}, {1U, 65'536U}, {256U, 256U}}) {
    const auto rectangle =
        TileRectangle::Create({0, 0, -7, 9}, columns, rows, wire::Shape::kPlane, 1);
    ASSERT_TRUE(rectangle.ok()) << rectangle.status();
    EXPECT_EQ(rectangle->size(), 65'536U);
  }
}

TEST(TileRectangleTest, NamesTheLimit) {
  for (const auto& [columns, rows] :
       {std::pair{0U, 1U}, {1U, 0U}, {257U, 256U}, {65'537U, 1U}, {1U << 31, 1U << 31}}) {
    const auto rectangle =
        TileRectangle::Create({0, 0, 0, 0}, columns, rows, wire::Shape::kPlane, 1);
    EXPECT_EQ(rectangle.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(rectangle.status().message()), HasSubstr("1 to 65536"));
  }
}

TEST(TileRectangleTest, RejectsTilesOutOfRange) {
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  for (const wire::TileKey& first :
       {wire::TileKey{0, 0, kMaxTile - 4, 0}, wire::TileKey{0, 0, 0, kMaxTile - 4},
        wire::TileKey{0, 1, 0, 0}, wire::TileKey{0, 0, kLast, kLast}}) {
    EXPECT_EQ(TileRectangle::Create(first, 5, 5, wire::Shape::kPlane, 1).status().code(),
              absl::StatusCode::kOutOfRange);
  }
}

}  // namespace
}  // namespace thalweg::tile
