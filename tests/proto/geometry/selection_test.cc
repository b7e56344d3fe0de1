#include "proto/geometry/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <tuple>

#include "proto/geometry/surface.h"
#include "proto/geometry/tile_tree.h"
#include "tests/proto/geometry/random_scene.h"
#include "tests/proto/geometry/tiling_faults.h"

namespace thalweg::lod {
namespace {

using testing::IsEmpty;
using testing::Not;
using wire::TileKey;

constexpr std::uint64_t kScenes = 200;

// The lowest ground of a scene by the facts of its roots; nothing if one is unknown.
std::optional<double> LowestOf(RandomScene& scene, const Selection& selection) {
  double lowest_m = 1e9;
  for (const Wanted& tile : selection.tiles()) {
    if (tile.key.level > 0) continue;
    const TileFacts* facts = scene.FactsOf(tile.key);
    if (facts == nullptr) return std::nullopt;
    lowest_m = std::min(lowest_m, facts->min_height / 65'536.0);
  }
  return lowest_m;
}

std::vector<TileKey> LeavesOf(const Selection& selection) {
  std::vector<TileKey> leaves;
  for (const Wanted& tile : selection.tiles()) {
    if (!tile.split) leaves.push_back(tile.key);
  }
  return leaves;
}

std::vector<TileKey> RootsOf(const Selection& selection) {
  std::vector<TileKey> roots;
  for (const Wanted& tile : selection.tiles()) {
    if (tile.key.level == 0) roots.push_back(tile.key);
  }
  return roots;
}

// The selection for ground that is so rough that every tile near the eye is split.
Selection SelectRough(const View& view, const WorldGrid& grid) {
  const TileFacts rough{.geometric_error = 1U << 31, .min_height = 0, .max_height = 65'536};
  return Selection::Of(view, grid, [&rough](const TileKey&) { return &rough; });
}

// A view from a random position within this many metres of the origin, low over the ground.
View RandomViewOver(double metres, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> coordinate(-metres, metres);
  return {.position = {coordinate(random), coordinate(random), 10}, .range_m = 1e6};
}

// The invalid keys in a selection, for a world with this many levels.
std::vector<std::string> KeyFaults(const Selection& selection, int levels) {
  std::vector<std::string> faults;
  for (const Wanted& tile : selection.tiles()) {
    if (const absl::Status good = wire::CheckTileKey(tile.key, wire::Shape::kPlane, levels);
        !good.ok()) {
      faults.emplace_back(good.message());
    }
  }
  return faults;
}

int FinestLevelOf(const Selection& selection) {
  int finest = -1;
  for (const Wanted& tile : selection.tiles()) finest = std::max(finest, tile.key.level);
  return finest;
}

TEST(SelectionTest, LeavesAreARestrictedQuadtree) {
  for (const auto& [shape, seed] : Scenes(kScenes)) {
    const Selection selection = RandomScene(seed, shape).Select();
    EXPECT_THAT(TilingFaults(selection.grid(), LeavesOf(selection), RootsOf(selection)), IsEmpty())
        << "seed " << seed;
  }
}

TEST(SelectionTest, SplitTilesHaveAllTheirChildren) {
  for (const auto& [shape, seed] : Scenes(kScenes)) {
    const Selection selection = RandomScene(seed, shape).Select();
    for (const Wanted& tile : selection.tiles()) {
      for (const TileKey& child : ChildrenOf(tile.key)) {
        EXPECT_EQ(selection.Find(child) != nullptr, tile.split) << "seed " << seed;
      }
    }
  }
}

TEST(SelectionTest, VisibleLeavesAreWithinTheToleratedError) {
  for (const auto& [shape, seed] : Scenes(kScenes)) {
    RandomScene scene(seed, shape);
    const Selection selection = scene.Select();
    if (selection.tiles().size() > kMaxSplits) continue;
    const auto surface = SurfaceOf(scene.grid());
    const Viewer viewer = ViewerOf(scene.view(), *surface, LowestOf(scene, selection));
    const auto facts_of = [&scene](const TileKey& key) { return scene.FactsOf(key); };
    for (const TileKey& leaf : LeavesOf(selection)) {
      const Forecast forecast = ForecastOf(scene.grid(), leaf, facts_of);
      if (!forecast.has_heights || leaf.level + 1 == scene.grid().levels) continue;
      const Sight sight =
          surface->SightOf(leaf, {forecast.min_height_m, forecast.max_height_m}, viewer);
      if (sight.horizontal_m > scene.view().range_m || !sight.may_show) continue;
      EXPECT_LE(forecast.error_m * PixelsPerRadian(scene.view()),
                scene.view().tolerated_error_px * sight.distance_m)
          << "seed " << seed;
    }
  }
}

TEST(SelectionTest, OrderIsByNeedThenLevelThenDistance) {
  for (const auto& [shape, seed] : Scenes(kScenes)) {
    const Selection selection = RandomScene(seed, shape).Select();
    const auto order = [](const Wanted& tile) {
      return std::tuple(tile.need, tile.key.level, tile.distance_m);
    };
    for (std::size_t n = 1; n < selection.tiles().size(); ++n) {
      EXPECT_LE(order(selection.tiles()[n - 1]), order(selection.tiles()[n])) << "seed " << seed;
    }
  }
}

// Otherwise tiles of the picture would wait for tiles that are not urgent.
TEST(SelectionTest, AncestorsOfVisibleTilesAreVisible) {
  for (const auto& [shape, seed] : Scenes(kScenes)) {
    const Selection selection = RandomScene(seed, shape).Select();
    const auto surface = SurfaceOf(selection.grid());
    for (const Wanted& tile : selection.tiles()) {
      if (tile.need != Need::kInView || tile.key.level == 0) continue;
      const TileKey parent = ParentOf(tile.key);
      EXPECT_EQ(selection.Find(parent)->need, Need::kInView) << "seed " << seed;
      for (const TileKey& sibling : ChildrenOf(parent)) {
        EXPECT_EQ(selection.Find(sibling)->need, Need::kInView) << "seed " << seed;
      }
      for (const TileKey& touching : surface->TouchingOf(parent)) {
        const Wanted* other = selection.Find(touching);
        EXPECT_TRUE(other == nullptr || other->need == Need::kInView) << "seed " << seed;
      }
    }
  }
}

TEST(SelectionTest, SameViewAndFactsGiveTheSameSelection) {
  for (const auto& [shape, seed] : Scenes(20)) {
    const Selection one = RandomScene(seed, shape).Select();
    const Selection other = RandomScene(seed, shape).Select();
    ASSERT_EQ(one.tiles().size(), other.tiles().size());
    for (std::size_t n = 0; n < one.tiles().size(); ++n) {
      EXPECT_EQ(one.tiles()[n].key, other.tiles()[n].key);
      EXPECT_EQ(one.tiles()[n].split, other.tiles()[n].split);
    }
  }
}

TEST(SelectionTest, LessToleranceRefinesMore) {
  View view{.position = {1000, 1000, 300}, .direction = {1, 1, -0.3}};
  const WorldGrid grid{.cell_size_m = 1024, .levels = 14};
  const auto nothing = [](const TileKey&) -> const TileFacts* { return nullptr; };
  view.tolerated_error_px = 8;
  const std::size_t few = Selection::Of(view, grid, nothing).tiles().size();
  view.tolerated_error_px = 2;
  EXPECT_GT(Selection::Of(view, grid, nothing).tiles().size(), few);
}

TEST(SelectionTest, WorldsBeyondTheirLastTileAreNotEntered) {
  constexpr double kEdge = 0x1p48;
  const View view{.position = {kEdge, kEdge, 10}, .range_m = 1e6};
  const auto nothing = [](const TileKey&) -> const TileFacts* { return nullptr; };
  const WorldGrid grid{.cell_size_m = 1, .levels = 10};
  const Selection selection = Selection::Of(view, grid, nothing);
  ASSERT_THAT(selection.tiles(), Not(IsEmpty()));
  for (const Wanted& tile : selection.tiles()) {
    EXPECT_TRUE(wire::CheckTileKey(tile.key, wire::Shape::kPlane, grid.levels).ok());
  }
}

// The restriction of the tree may split more tiles than the limit, also tiles that were not
// examined yet. Each stays split, since its children are selected.
TEST(SelectionTest, TheLimitOfSplitsLeavesARestrictedQuadtree) {
  const WorldGrid grid{.cell_size_m = 1024, .levels = 10};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Selection selection = SelectRough(RandomViewOver(1e6, seed), grid);
    EXPECT_GE(selection.tiles().size() - LeavesOf(selection).size(), kMaxSplits);
    EXPECT_THAT(TilingFaults(selection.grid(), LeavesOf(selection), RootsOf(selection)), IsEmpty())
        << "seed " << seed;
  }
}

// Rough ground needs more levels than the world has, so the finest one is everywhere near the eye.
TEST(SelectionTest, TheFinestLevelIsNeverSplit) {
  for (int levels = 1; levels <= 5; ++levels) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Selection selection =
          SelectRough(RandomViewOver(1e6, seed), {.cell_size_m = 1024, .levels = levels});
      EXPECT_THAT(KeyFaults(selection, levels), IsEmpty()) << "seed " << seed;
      EXPECT_THAT(TilingFaults(selection.grid(), LeavesOf(selection), RootsOf(selection)),
                  IsEmpty())
          << "levels " << levels << ", seed " << seed;
      EXPECT_EQ(FinestLevelOf(selection), levels - 1) << "seed " << seed;
    }
  }
}

// All levels have the same number of tiles, so each reaches only half as far as the one before.
// Beyond its end, tiles have no children. A split near there must not need such children.
TEST(SelectionTest, NothingIsSplitWhereALevelEnds) {
  const WorldGrid grid{.cell_size_m = 1, .levels = 12};
  for (int level = 1; level < grid.levels; ++level) {
    const double edge = std::ldexp(static_cast<double>(wire::kMaxVertex), -level);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      for (const double side : {-edge, edge}) {
        View view = RandomViewOver(2'000, seed);
        view.position = view.position + sphere::Vector{side, side, 0};
        const Selection selection = SelectRough(view, grid);
        EXPECT_THAT(KeyFaults(selection, grid.levels), IsEmpty())
            << "level " << level << ", seed " << seed;
        EXPECT_THAT(TilingFaults(selection.grid(), LeavesOf(selection), RootsOf(selection)),
                    IsEmpty())
            << "level " << level << ", seed " << seed;
      }
    }
  }
}

// The twin: for a world with one level less, some of the tiles are too fine.
TEST(SelectionTest, WrongKeysAreNoticed) {
  const WorldGrid grid{.cell_size_m = 1024, .levels = 4};
  const Selection selection = SelectRough({.position = {0, 0, 10}, .range_m = 400'000}, grid);
  EXPECT_THAT(KeyFaults(selection, grid.levels), IsEmpty());
  EXPECT_THAT(KeyFaults(selection, grid.levels - 1), Not(IsEmpty()));
}

TEST(TilingFaultsTest, NoticesEveryKindOfFault) {
  const TileKey root{};
  const auto children = ChildrenOf(root);
  const auto finer = ChildrenOf(children[3]);
  const auto finest = ChildrenOf(finer[0]);
  const std::vector<TileKey> good{children[0], children[1], children[2], finer[0],
                                  finer[1],    finer[2],    finer[3]};
  EXPECT_THAT(TilingFaults({}, good, {root}), IsEmpty());
  const std::vector<TileKey> gap(good.begin() + 1, good.end());
  EXPECT_THAT(TilingFaults({}, gap, {root}), Not(IsEmpty()));
  std::vector<TileKey> overlap = good;
  overlap.push_back(root);
  EXPECT_THAT(TilingFaults({}, overlap, {root}), Not(IsEmpty()));
  // At the middle of the root, tiles of level 3 and level 1 touch.
  const std::vector<TileKey> unrestricted{children[0], children[1], children[2], finest[0],
                                          finest[1],   finest[2],   finest[3],   finer[1],
                                          finer[2],    finer[3]};
  EXPECT_THAT(TilingFaults({}, unrestricted, {root}), Not(IsEmpty()));
}

}  // namespace
}  // namespace thalweg::lod
