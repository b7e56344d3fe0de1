// Properties of stages of every kind.
#include "server/stages/stage.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "tests/stages/any_stage.h"
#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

constexpr std::uint64_t kSeed = 20261122;
constexpr int kSide = 500;

Windows TestWindows(bool shrink, bool join_sweeps) {
  Windows windows;
  windows.side = kSide;
  windows.count = 2;
  windows.parent = {300, 300 * 300 * 2};
  windows.shrink = shrink;
  windows.join_sweeps = join_sweeps;
  return windows;
}

// Calls back for random stages of every kind, at random levels.
template <typename Visit>
void ForManyStages(Visit visit) {
  std::mt19937_64 random(kSeed);
  for (const auto* kind : EveryKind()) {
    for (int round = 0; round < 20; ++round) {
      const v1::Stage message = Filled(AnyStage(random, *kind));
      SCOPED_TRACE(message.ShortDebugString());
      const int level = static_cast<int>(random() % 8);
      visit(kind->name(), Compile(message, NumbersOf(1024.0 / (1 << level), level)));
    }
  }
}

// The region that is exact after a stage must end exactly the stage's reach away from the window's
// rim. If it were smaller, part of the halo would be computed for nothing.
TEST(StageTest, TheExactRegionEndsAtItsReach) {
  ForManyStages([](const std::string&, const Stage& stage) {
    for (const bool join_sweeps : {false, true}) {
      Recorder recorder(TestWindows(true, join_sweeps));
      Record(stage, recorder);
      EXPECT_EQ(recorder.region().first, Reach(stage));
      EXPECT_EQ(recorder.region().last, kSide - 1 - Reach(stage));
    }
  });
}

TEST(StageTest, DispatchesStayInTheWindow) {
  ForManyStages([](const std::string&, const Stage& stage) {
    for (const auto& [shrink, join_sweeps] :
         {std::pair(true, false), std::pair(false, false), std::pair(true, true)}) {
      Recorder recorder(TestWindows(shrink, join_sweeps));
      Record(stage, recorder);
      for (const Segment& segment : recorder.Take()) {
        for (const Dispatch& dispatch : segment.dispatches) {
          EXPECT_GE(dispatch.pass.x, 0);
          EXPECT_GE(dispatch.pass.y, 0);
          EXPECT_LE(dispatch.pass.x + dispatch.pass.width, kSide);
          // The last row of several may be cut off.
          EXPECT_LE(dispatch.pass.y + (dispatch.rows - 1) * dispatch.row_height + 1, kSide);
          EXPECT_LE(PushConstants(dispatch).size(), kMaxPushConstants);
        }
      }
    }
  });
}

// A kernel of tiles writes as much as the sweeps that it joins.
TEST(StageTest, TilesCoverTheirRegion) {
  int tiled = 0;
  ForManyStages([&](const std::string&, const Stage& stage) {
    Recorder recorder(TestWindows(true, true));
    Record(stage, recorder);
    for (const Segment& segment : recorder.Take()) {
      for (const Dispatch& dispatch : segment.dispatches) {
        if (dispatch.tile_width == 0) continue;
        ++tiled;
        // Regions are squares.
        EXPECT_EQ(dispatch.pass.before, dispatch.pass.y + dispatch.pass.width - 1);
        EXPECT_GE(dispatch.rows * dispatch.row_height, dispatch.pass.width);
        EXPECT_LT((dispatch.rows - 1) * dispatch.row_height, dispatch.pass.width);
        const int ring = dispatch.pass.argument >> 8;
        EXPECT_EQ(dispatch.tile_width, kernels::kTileWidth - 2 * ring);
        EXPECT_EQ(dispatch.row_height, kernels::kTileHeight - 2 * ring);
      }
    }
  });
  EXPECT_GT(tiled, 0);
}

// Windows that exchange values after each sweep keep separate sweeps.
TEST(StageTest, SweepsAreNotJoinedAcrossEdges) {
  ForManyStages([](const std::string&, const Stage& stage) {
    Windows windows = TestWindows(true, true);
    windows.cross_edges = true;
    Recorder recorder(windows);
    Record(stage, recorder);
    for (const Segment& segment : recorder.Take()) {
      for (const Dispatch& dispatch : segment.dispatches) EXPECT_EQ(dispatch.tile_width, 0);
    }
  });
}

TEST(StageTest, HasTheNameUsedInSpecifications) {
  ForManyStages([](const std::string& name, const Stage& stage) {
    Recorder recorder(TestWindows(true, false));
    Record(stage, recorder);
    const std::vector<Segment> segments = recorder.Take();
    ASSERT_EQ(segments.size(), 1u);
    EXPECT_EQ(segments.front().stage, name);
    EXPECT_FALSE(segments.front().dispatches.empty());
  });
}

TEST(KernelTest, NamesAreDistinct) {
  std::set<std::string_view> names;
  for (int i = 0; i < kKernelCount; ++i) names.insert(KernelName(static_cast<Kernel>(i)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kKernelCount));
  EXPECT_EQ(KernelName(Kernel::kDropletScatter), "droplet_scatter");
}

TEST(KernelParamsDeathTest, ReadingAnotherTypeAborts) {
  const KernelParams params(kernels::BlurParams{.straight = 3, .diagonal = 5});
  EXPECT_EQ(params.As<kernels::BlurParams>().diagonal, 5);
  EXPECT_DEATH((void)params.As<kernels::ReboundParams>(), "");
}

}  // namespace
}  // namespace thalweg::stages
