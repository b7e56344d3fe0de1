#include "proto/wire/tile_tag.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace thalweg::wire {
namespace {

const std::string kWorld(16, 'w');

// Tags name tiles on clients' disks, so they may change only with kTileFormat.
TEST(TileTagTest, DoesNotChange) {
  ASSERT_EQ(kTileFormat, 1u);
  EXPECT_EQ(TileTag(kWorld, {.level = 8, .x = 3, .y = -1}, 2, 0), 13352840437381924680u);
}

TEST(TileTagTest, DiffersIfAnythingDiffers) {
  std::set<std::uint64_t> tags;
  const TileKey key{.level = 8, .x = 3, .y = -1};
  tags.insert(TileTag(kWorld, key, 2, 0));
  tags.insert(TileTag(std::string(16, 'v'), key, 2, 0));
  tags.insert(TileTag(kWorld, key, 6, 0));
  tags.insert(TileTag(kWorld, key, 2, 1));
  tags.insert(TileTag(kWorld, {.level = 9, .x = 3, .y = -1}, 2, 0));
  tags.insert(TileTag(kWorld, {.level = 8, .x = -1, .y = 3}, 2, 0));
  tags.insert(TileTag(kWorld, {.level = 8, .x = 3, .y = 1}, 2, 0));
  tags.insert(TileTag(kWorld, {.face = 1, .level = 8, .x = 3, .y = -1}, 2, 0));
  EXPECT_EQ(tags.size(), 8u);
}

}  // namespace
}  // namespace thalweg::wire
