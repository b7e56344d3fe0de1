#include "proto/wire/tile_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace thalweg::wire {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kMaxTile = kMaxVertex / kTileCells;

TEST(TileKeyTest, AcceptsEveryTileOfThePlane) {
  EXPECT_TRUE(CheckTileKey({0, 0, 0, 0}, 1).ok());
  EXPECT_TRUE(CheckTileKey({0, 20, -kMaxTile, kMaxTile - 1}, 21).ok());
}

TEST(TileKeyTest, NamesTheRangeOfLevels) {
  for (const int level : {-1, 17, 1000}) {
    const absl::Status status = CheckTileKey({0, level, 0, 0}, 17);
    EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
    EXPECT_THAT(std::string(status.message()), HasSubstr("0 to 16"));
  }
}

TEST(TileKeyTest, NamesTheRangeOfCoordinates) {
  for (const TileKey& key : {TileKey{0, 0, kMaxTile, 0}, TileKey{0, 0, 0, kMaxTile},
                             TileKey{0, 0, -kMaxTile - 1, 0}, TileKey{0, 0, 0, -kMaxTile - 1}}) {
    const absl::Status status = CheckTileKey(key, 1);
    EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
    EXPECT_THAT(std::string(status.message()), HasSubstr("-1099511627776 to 1099511627775"));
  }
}

TEST(TileKeyTest, RejectsOtherFaces) {
  EXPECT_EQ(CheckTileKey({1, 0, 0, 0}, 1).code(), absl::StatusCode::kOutOfRange);
}

}  // namespace
}  // namespace thalweg::wire
