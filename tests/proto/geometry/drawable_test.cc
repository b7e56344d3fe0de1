#include "proto/geometry/drawable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "absl/container/flat_hash_set.h"
#include "proto/geometry/surface.h"
#include "proto/geometry/tile_tree.h"
#include "tests/proto/geometry/random_scene.h"
#include "tests/proto/geometry/tiling_faults.h"

namespace thalweg::lod {
namespace {

using testing::IsEmpty;
using testing::Not;
using wire::TileKey;

std::vector<TileKey> KeysOf(const Drawable& drawable) {
  std::vector<TileKey> keys;
  for (const Drawn& tile : drawable.tiles) keys.push_back(tile.key);
  return keys;
}

std::vector<TileKey> LoadedRoots(const Selection& selection, IsLoaded is_loaded) {
  std::vector<TileKey> roots;
  for (const Wanted& tile : selection.tiles()) {
    if (tile.key.level == 0 && is_loaded(tile.key)) roots.push_back(tile.key);
  }
  return roots;
}

TEST(DrawableTest, CoversLoadedTilesWithoutOverlapsOrCracks) {
  for (const auto& [shape, seed] : Scenes(200)) {
    RandomScene scene(seed, shape);
    const Selection selection = scene.Select();
    const std::uint64_t percent = 50 + seed % 50;
    const auto is_loaded = [&](const TileKey& key) { return scene.IsLoaded(key, percent); };
    const Drawable drawable = DrawableOf(selection, is_loaded);
    EXPECT_THAT(TilingFaults(selection.grid(), KeysOf(drawable), LoadedRoots(selection, is_loaded)),
                IsEmpty())
        << "seed " << seed;
    for (const Drawn& tile : drawable.tiles) EXPECT_TRUE(is_loaded(tile.key)) << "seed " << seed;
  }
}

// The twin: if children replace their parent wherever all are loaded, there are cracks.
TEST(DrawableTest, WithoutRestrictionThereWouldBeCracks) {
  int cracked = 0;
  for (const auto& [shape, seed] : Scenes(200)) {
    RandomScene scene(seed, shape);
    const Selection selection = scene.Select();
    const auto is_loaded = [&](const TileKey& key) { return scene.IsLoaded(key, 90); };
    std::vector<TileKey> drawn;
    std::vector<TileKey> open = LoadedRoots(selection, is_loaded);
    const std::vector<TileKey> roots = open;
    while (!open.empty()) {
      const TileKey key = open.back();
      open.pop_back();
      const auto children = ChildrenOf(key);
      const Wanted* wanted = selection.Find(key);
      if (wanted->split && std::all_of(children.begin(), children.end(), is_loaded)) {
        open.insert(open.end(), children.begin(), children.end());
      } else {
        drawn.push_back(key);
      }
    }
    if (!TilingFaults(selection.grid(), drawn, roots).empty()) ++cracked;
  }
  EXPECT_GT(cracked, 10);
}

TEST(DrawableTest, EqualsTheSelectionOnceAllTilesAreLoaded) {
  for (const auto& [shape, seed] : Scenes(50)) {
    const Selection selection = RandomScene(seed, shape).Select();
    const Drawable drawable = DrawableOf(selection, [](const TileKey&) { return true; });
    EXPECT_EQ(drawable.complete, !selection.tiles().empty()) << "seed " << seed;
    EXPECT_EQ(drawable.finest, drawable.complete) << "seed " << seed;
    std::size_t leaves = 0;
    for (const Wanted& tile : selection.tiles()) leaves += tile.split ? 0 : 1;
    EXPECT_EQ(drawable.tiles.size(), leaves) << "seed " << seed;
    for (const Drawn& tile : drawable.tiles) {
      ASSERT_NE(selection.Find(tile.key), nullptr);
      EXPECT_FALSE(selection.Find(tile.key)->split);
    }
  }
}

TEST(DrawableTest, StaysCompleteWhileTilesComeInAnyOrder) {
  for (const auto& [shape, seed] : Scenes(10)) {
    const Selection selection = RandomScene(seed, shape).Select();
    std::vector<TileKey> order;
    for (const Wanted& tile : selection.tiles()) order.push_back(tile.key);
    std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
    absl::flat_hash_set<TileKey> loaded;
    for (const TileKey& key : order) {
      if (key.level == 0) loaded.insert(key);
    }
    const auto is_loaded = [&](const TileKey& key) { return loaded.contains(key); };
    const std::vector<TileKey> roots = LoadedRoots(selection, is_loaded);
    for (std::size_t n = 0; n < order.size(); ++n) {
      loaded.insert(order[n]);
      if (n % 16 != 0) continue;
      const Drawable drawable = DrawableOf(selection, is_loaded);
      EXPECT_TRUE(drawable.complete);
      EXPECT_THAT(TilingFaults(selection.grid(), KeysOf(drawable), roots), IsEmpty())
          << "seed " << seed;
    }
  }
}

TEST(DrawableTest, NamesCoarserNeighbours) {
  for (const auto& [shape, seed] : Scenes(50)) {
    RandomScene scene(seed, shape);
    const Drawable drawable =
        DrawableOf(scene.Select(), [&](const TileKey& key) { return scene.IsLoaded(key, 95); });
    const auto surface = SurfaceOf(scene.grid());
    absl::flat_hash_set<TileKey> drawn;
    for (const Drawn& tile : drawable.tiles) drawn.insert(tile.key);
    for (const Drawn& tile : drawable.tiles) {
      const Touching touching = surface->TouchingOf(tile.key);
      for (std::size_t n = 0; n < touching.size(); ++n) {
        const bool coarser = tile.key.level > 0 && drawn.contains(ParentOf(touching[n])) &&
                             ParentOf(touching[n]) != ParentOf(tile.key);
        EXPECT_EQ(tile.coarser[n], coarser) << "seed " << seed;
      }
    }
  }
}

TEST(DrawableTest, IsNotCompleteWithoutARoot) {
  const Selection selection = RandomScene(3).Select();
  ASSERT_THAT(selection.tiles(), Not(IsEmpty()));
  const Drawable drawable = DrawableOf(selection, [](const TileKey&) { return false; });
  EXPECT_FALSE(drawable.complete);
  EXPECT_FALSE(drawable.finest);
  EXPECT_THAT(drawable.tiles, IsEmpty());
}

}  // namespace
}  // namespace thalweg::lod
