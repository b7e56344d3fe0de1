// Properties of stages of every kind.
#include "server/stages/stage.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <string_view>

#include "tests/stages/any_stage.h"
#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

constexpr std::uint64_t kSeed = 20261122;
constexpr int kSide = 500;

Windows TestWindows(bool shrink) {
  Windows windows;
  windows.side = kSide;
  windows.count = 2;
  windows.parent = {300, 300 * 300 * 2};
  windows.shrink = shrink;
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
TEST(StageTest, LeavesTheRegionThatItReachesAcross) {
  ForManyStages([](const std::string&, const Stage& stage) {
    Recorder recorder(TestWindows(true));
    Record(stage, recorder);
    EXPECT_EQ(recorder.region().first, Reach(stage));
    EXPECT_EQ(recorder.region().last, kSide - 1 - Reach(stage));
  });
}

TEST(StageTest, DispatchesStayInTheWindow) {
  ForManyStages([](const std::string&, const Stage& stage) {
    for (const bool shrink : {true, false}) {
      Recorder recorder(TestWindows(shrink));
      Record(stage, recorder);
      for (const Segment& segment : recorder.Take()) {
        for (const Dispatch& dispatch : segment.dispatches) {
          EXPECT_GE(dispatch.pass.x, 0);
          EXPECT_GE(dispatch.pass.y, 0);
          EXPECT_LE(dispatch.pass.x + dispatch.pass.width, kSide);
          EXPECT_LE(dispatch.pass.y + dispatch.rows, kSide);
          EXPECT_LE(PushConstants(dispatch).size(), kMaxPushConstants);
        }
      }
    }
  });
}

TEST(StageTest, IsCalledWhatSpecificationsCallIt) {
  ForManyStages([](const std::string& name, const Stage& stage) {
    Recorder recorder(TestWindows(true));
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

TEST(KernelParamsDeathTest, AreTakenAsWhatTheyAre) {
  const KernelParams params(kernels::BlurParams{.straight = 3, .diagonal = 5});
  EXPECT_EQ(params.As<kernels::BlurParams>().diagonal, 5);
  EXPECT_DEATH((void)params.As<kernels::ReboundParams>(), "");
}

}  // namespace
}  // namespace thalweg::stages
