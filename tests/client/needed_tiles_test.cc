#include "client/src/view/needed_tiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "absl/container/flat_hash_set.h"

namespace thalweg {
namespace {

constexpr lod::WorldGrid kViewGrid{.cell_size_m = 64, .levels = 6};

class NeededTilesTest : public testing::Test {
 protected:
  // The selection for a camera this far to the east, without known facts.
  static lod::Selection At(double east_m) {
    const lod::View view{.position = {.x = east_m, .y = 100, .z = 500}, .range_m = 20'000};
    return lod::Selection::Of(view, kViewGrid, [](const wire::TileKey&) { return nullptr; });
  }

  void Load(const lod::Selection& selection) {
    for (const lod::Wanted& tile : selection.tiles()) loaded_.insert(tile.key);
  }
  void Need(const lod::Selection& selection) {
    needed_.Need(selection, [this](const wire::TileKey& key) { return loaded_.contains(key); });
  }

  absl::flat_hash_set<wire::TileKey> loaded_;
  NeededTiles needed_;
};

TEST_F(NeededTilesTest, LateTilesCountOnce) {
  const lod::Selection here = At(0);
  ASSERT_GT(here.tiles().size(), 4U);
  Need(here);
  Load(here);
  Need(here);
  EXPECT_EQ(needed_.needed(), here.tiles().size());
  EXPECT_EQ(needed_.in_time(), 0U);
}

TEST_F(NeededTilesTest, TilesLoadedBeforeTheyAreNeededAreInTime) {
  const lod::Selection here = At(0);
  const lod::Selection there = At(9'000);
  Load(here);
  Need(here);
  EXPECT_EQ(needed_.in_time(), here.tiles().size());
  Need(there);
  // The tiles that only the second place needs were not loaded.
  EXPECT_GT(needed_.needed(), here.tiles().size());
  EXPECT_EQ(needed_.in_time(), here.tiles().size());
}

TEST_F(NeededTilesTest, TilesOutsideThePictureAreNotNeeded) {
  // For flat ground with known heights, it is known which tiles are behind the camera.
  const lod::TileFacts facts{.geometric_error = 1U << 22, .min_height = 0, .max_height = 0};
  const lod::View view{.position = {.x = 100, .y = 100, .z = 500}, .range_m = 20'000};
  const lod::Selection here =
      lod::Selection::Of(view, kViewGrid, [&](const wire::TileKey&) { return &facts; });
  const auto in_picture =
      std::count_if(here.tiles().begin(), here.tiles().end(),
                    [](const lod::Wanted& tile) { return tile.need == lod::Need::kInView; });
  ASSERT_LT(static_cast<std::size_t>(in_picture), here.tiles().size());
  Need(here);
  EXPECT_EQ(needed_.needed(), static_cast<std::uint64_t>(in_picture));
}

TEST_F(NeededTilesTest, EvictedTilesCountAgain) {
  const lod::Selection here = At(0);
  Load(here);
  Need(here);
  needed_.Forget(here.tiles().front().key);
  loaded_.erase(here.tiles().front().key);
  Need(here);
  EXPECT_EQ(needed_.needed(), here.tiles().size() + 1);
  EXPECT_EQ(needed_.in_time(), here.tiles().size());
}

using std::chrono::seconds;

constexpr wire::TileKey kFirst{.level = 1};
constexpr wire::TileKey kSecond{.level = 2};
constexpr PutOffTiles::Time kStart{};

TEST(PutOffTilesTest, AreDueInTheOrderOfTheirTimes) {
  PutOffTiles tiles;
  EXPECT_FALSE(tiles.soonest());
  tiles.PutOff(kFirst, kStart + seconds(5));
  tiles.PutOff(kSecond, kStart + seconds(2));
  EXPECT_EQ(tiles.soonest(), kStart + seconds(2));

  EXPECT_FALSE(tiles.RemoveDue(kStart + seconds(1)));
  EXPECT_TRUE(tiles.RemoveDue(kStart + seconds(2)));
  EXPECT_FALSE(tiles.Contains(kSecond));
  EXPECT_TRUE(tiles.Contains(kFirst));
  EXPECT_EQ(tiles.soonest(), kStart + seconds(5));
}

TEST(PutOffTilesTest, ForgetsTilesThatArrived) {
  PutOffTiles tiles;
  tiles.PutOff(kFirst, kStart);
  tiles.Remove(kFirst);
  EXPECT_FALSE(tiles.Contains(kFirst));
  // No tile is left, but its time was still set.
  EXPECT_TRUE(tiles.RemoveDue(kStart));
  EXPECT_FALSE(tiles.soonest());
}

TEST(PutOffTilesTest, HoldsABoundedNumberOfTiles) {
  PutOffTiles tiles;
  for (std::int64_t x = 0; x <= 65'536; ++x) tiles.PutOff({.level = 3, .x = x}, kStart);
  EXPECT_TRUE(tiles.Contains({.level = 3, .x = 65'535}));
  EXPECT_FALSE(tiles.Contains({.level = 3, .x = 65'536}));
}

constexpr ReplanSignal::Time kPast{};
constexpr ReplanSignal::Time kNever = ReplanSignal::Time::max();

TEST(ReplanSignalTest, TheFirstSignalIsImmediate) {
  ReplanSignal signal;
  EXPECT_TRUE(signal.Await(kPast, kNever));
}

TEST(ReplanSignalTest, EachWakeGivesOneSignal) {
  ReplanSignal signal;
  EXPECT_TRUE(signal.Await(kPast, kNever));
  std::thread other([&signal] { signal.Wake(); });
  EXPECT_TRUE(signal.Await(kPast, kNever));
  other.join();
}

TEST(ReplanSignalTest, ASignalComesAtTheDeadline) {
  ReplanSignal signal;
  EXPECT_TRUE(signal.Await(kPast, kNever));
  EXPECT_TRUE(signal.Await(kPast, kPast));
}

TEST(ReplanSignalTest, EndStopsAnEndlessWait) {
  ReplanSignal signal;
  std::thread other([&signal] { signal.End(); });
  EXPECT_FALSE(signal.Await(kNever, kNever));
  other.join();
}

}  // namespace
}  // namespace thalweg
