#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "client/src/contract/messages.h"
#include "client/src/view/view_front.h"
#include "proto/geometry/drawable.h"
#include "tests/proto/geometry/random_scene.h"

namespace thalweg {
namespace {

// The one tile of a key, for the whole test, as in TileMemory.
std::shared_ptr<const Tile> TileOf(const TileKey& key) {
  static std::map<TileKey, std::shared_ptr<const Tile>> tiles;
  auto& tile = tiles[key];
  if (tile == nullptr) {
    auto fresh = std::make_shared<Tile>();
    fresh->key = key;
    tile = fresh;
  }
  return tile;
}

std::vector<DrawnTile> SetOf(const std::vector<TileKey>& keys) {
  std::vector<DrawnTile> set;
  for (const TileKey& key : keys) set.push_back({.key = key, .tile = TileOf(key)});
  return set;
}

std::set<TileKey> KeysOf(const std::vector<DrawnTile>& set) {
  std::set<TileKey> keys;
  for (const DrawnTile& drawn : set) keys.insert(drawn.key);
  return keys;
}

// Applies changes to a set. Each step must be possible.
std::set<TileKey> Apply(const FrameChanges& changes, std::set<TileKey> keys) {
  const auto replace = [&](const std::vector<Replacement>& replacements) {
    for (const Replacement& replacement : replacements) {
      for (const TileKey& key : replacement.removed) EXPECT_EQ(keys.erase(key), 1U);
      for (const DrawnTile& drawn : replacement.added) EXPECT_TRUE(keys.insert(drawn.key).second);
    }
  };
  for (const TileKey& key : changes.removed) EXPECT_EQ(keys.erase(key), 1U);
  replace(changes.coarsened);
  replace(changes.refined);
  for (const DrawnTile& drawn : changes.added) EXPECT_TRUE(keys.insert(drawn.key).second);
  return keys;
}

TEST(FrameChangesTest, EqualSetsHaveNoChanges) {
  EXPECT_FALSE(ChangesBetween({}, {}).any());
  const auto set = SetOf({{0, 0, 0}, {0, 1, 0}});
  EXPECT_FALSE(ChangesBetween(set, set).any());
}

TEST(FrameChangesTest, ChildrenReplaceTheirParentTogether) {
  const auto before = SetOf({{0, 0, 0}, {0, 1, 0}});
  const auto after = SetOf({{0, 1, 0}, {1, 0, 0}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1}});
  const FrameChanges finer = ChangesBetween(before, after);
  ASSERT_EQ(finer.refined.size(), 1U);
  EXPECT_EQ(finer.refined[0].removed, std::vector<TileKey>({{0, 0, 0}}));
  EXPECT_EQ(finer.refined[0].added.size(), 4U);
  EXPECT_TRUE(finer.added.empty() && finer.removed.empty() && finer.coarsened.empty());
  const FrameChanges coarser = ChangesBetween(after, before);
  ASSERT_EQ(coarser.coarsened.size(), 1U);
  EXPECT_EQ(coarser.coarsened[0].removed.size(), 4U);
  EXPECT_TRUE(coarser.added.empty() && coarser.removed.empty() && coarser.refined.empty());
}

TEST(FrameChangesTest, NoticesOtherNeighboursAndOtherTiles) {
  const auto before = SetOf({{1, 0, 0}});
  auto after = before;
  after[0].coarser[3] = TileOf({0, -1, 0});
  EXPECT_EQ(ChangesBetween(before, after).restitched.size(), 1U);
  after = before;
  after[0].tile = std::make_shared<Tile>(*before[0].tile);
  EXPECT_EQ(ChangesBetween(before, after).refined.size(), 1U);
}

TEST(FrameChangesTest, LeadFromAnySetToAnyOther) {
  for (const auto& [shape, seed] : lod::Scenes(60)) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    lod::RandomScene scene(seed, shape);
    const lod::Selection selection = scene.Select();
    std::vector<DrawnTile> before;
    for (const std::uint64_t percent : {0U, 90U, 60U, 100U, 30U}) {
      const lod::Drawable drawable = lod::DrawableOf(
          selection, [&](const wire::TileKey& key) { return scene.IsLoaded(key, percent); });
      std::vector<TileKey> keys;
      for (const lod::Drawn& drawn : drawable.tiles) {
        keys.push_back(ToPublic(drawn.key));
      }
      // A planet's drawable set is sorted by face.
      std::ranges::sort(keys);
      const std::vector<DrawnTile> after = SetOf(keys);
      EXPECT_EQ(Apply(ChangesBetween(before, after), KeysOf(before)), KeysOf(after));
      before = after;
    }
  }
}

}  // namespace
}  // namespace thalweg
