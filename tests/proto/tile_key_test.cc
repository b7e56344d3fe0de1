#include "proto/wire/tile_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>

namespace thalweg::wire {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kMaxTile = kMaxVertex / kTileCells;

TEST(TileKeyTest, AcceptsEveryTileOfThePlane) {
  EXPECT_TRUE(CheckTileKey({0, 0, 0, 0}, Shape::kPlane, 1).ok());
  EXPECT_TRUE(CheckTileKey({0, 20, -kMaxTile, kMaxTile - 1}, Shape::kPlane, 21).ok());
}

TEST(TileKeyTest, NamesTheRangeOfLevels) {
  for (const int level : {-1, 17, 1000}) {
    const absl::Status status = CheckTileKey({0, level, 0, 0}, Shape::kPlane, 17);
    EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
    EXPECT_THAT(std::string(status.message()), HasSubstr("0 to 16"));
  }
}

TEST(TileKeyTest, NamesTheRangeOfCoordinates) {
  for (const TileKey& key : {TileKey{0, 0, kMaxTile, 0}, TileKey{0, 0, 0, kMaxTile},
                             TileKey{0, 0, -kMaxTile - 1, 0}, TileKey{0, 0, 0, -kMaxTile - 1}}) {
    const absl::Status status = CheckTileKey(key, Shape::kPlane, 1);
    EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
    EXPECT_THAT(std::string(status.message()), HasSubstr("-1099511627776 to 1099511627775"));
  }
}

TEST(TileKeyTest, RejectsOtherFaces) {
  EXPECT_EQ(CheckTileKey({1, 0, 0, 0}, Shape::kPlane, 1).code(), absl::StatusCode::kOutOfRange);
}

TEST(TileKeyTest, AcceptsEveryTileOfAPlanet) {
  for (int face = 0; face < 6; ++face) {
    for (const int level : {0, 1, 20}) {
      const std::int64_t last = (std::int64_t{1} << level) - 1;
      EXPECT_TRUE(CheckTileKey({face, level, 0, last}, Shape::kSphere, 21).ok());
      EXPECT_TRUE(CheckTileKey({face, level, last, 0}, Shape::kSphere, 21).ok());
    }
  }
}

TEST(TileKeyTest, NamesTheRangesOfAPlanet) {
  for (const auto& [key, range] : {std::pair{TileKey{6, 3, 0, 0}, "0 to 5"},
                                   {TileKey{-1, 3, 0, 0}, "0 to 5"},
                                   {TileKey{0, 4, 0, 0}, "0 to 3"},
                                   {TileKey{0, 3, 8, 0}, "0 to 7"},
                                   {TileKey{5, 3, 0, -1}, "0 to 7"},
                                   {TileKey{2, 0, 0, 1}, "0 to 0"}}) {
    const absl::Status status = CheckTileKey(key, Shape::kSphere, 4);
    EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
    EXPECT_THAT(std::string(status.message()), HasSubstr(range));
  }
}

TEST(TileKeyTest, TellsWhetherAWorldMayHaveATile) {
  EXPECT_EQ(WidestShapeOf({0, 3, -8, 0}), Shape::kPlane);
  EXPECT_EQ(WidestShapeOf({1, 3, 0, 0}), Shape::kSphere);
}

TEST(AreaTest, HasTheNameOfATileOfEveryFourthLevel) {
  EXPECT_EQ(AreaOf("alpine", {0, 0, -4, 11}), "alpine/0/0/-4/11");
  EXPECT_EQ(AreaOf("alpine", {0, 1, -1, 11}), "alpine/0/0/-1/5");
  EXPECT_EQ(AreaOf("alpine", {0, 3, -1, 11}), "alpine/0/0/-1/1");
  EXPECT_EQ(AreaOf("alpine", {0, 4, 23, -9}), "alpine/0/4/23/-9");
  EXPECT_EQ(AreaOf("marble@7", {5, 6, 23, 9}), "marble@7/5/4/5/2");
}

// A tile has its parent's area, except where a new area begins. Tiles of one level have the same
// area if they have the same ancestor there.
TEST(AreaTest, IsSharedByTheDescendantsOfATile) {
  std::mt19937_64 random(1);
  for (int n = 0; n < 1000; ++n) {
    const auto small = [&] { return static_cast<std::int64_t>(random() % 64) - 32; };
    const TileKey one{0, 1 + static_cast<int>(random() % 12), small(), small()};
    const TileKey parent{0, one.level - 1, one.x >> 1, one.y >> 1};
    const int up = one.level % kAreaLevels;
    EXPECT_EQ(AreaOf("w", one) == AreaOf("w", parent), up != 0);
    const TileKey other{0, one.level, small(), small()};
    const bool related = one.x >> up == other.x >> up && one.y >> up == other.y >> up;
    EXPECT_EQ(AreaOf("w", one) == AreaOf("w", other), related);
  }
}

// A request may have any name, but metadata must be printable.
TEST(AreaTest, IsPrintable) {
  const std::string area = AreaOf("a\nb\xC3\xA9\x7F" + std::string(1000, 'x'), {0, 1, 2, 3});
  EXPECT_TRUE(std::all_of(area.begin(), area.end(), [](char c) { return c >= ' ' && c <= '~'; }));
  EXPECT_LT(area.size(), 400U);
}

}  // namespace
}  // namespace thalweg::wire
