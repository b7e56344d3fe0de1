#include <gtest/gtest.h>

#include "server/field/device_runs.h"
#include "server/world/cost.h"

namespace thalweg::field {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// The work of a block.
constexpr double kBlock = 65'536;

TEST(BatchPaceTest, TreatsAnUnknownDeviceAsSlow) {
  BatchPace pace;
  EXPECT_EQ(pace.Limit(64, kBlock), 1);
  const double seconds = 100 * kBlock * world::kNominalSecondsACell;
  EXPECT_EQ(pace.Parts(100 * kBlock, true), static_cast<int>(seconds / 0.25) + 1);
}

TEST(BatchPaceTest, SlowDevicesRunOneBlockAtATime) {
  BatchPace pace;
  pace.Learn(milliseconds(800), 4 * kBlock);
  EXPECT_EQ(pace.Limit(64, kBlock), 1);
}

TEST(BatchPaceTest, FastDevicesRunAllThatFit) {
  BatchPace pace;
  pace.Learn(microseconds(1'000), 4 * kBlock);
  EXPECT_EQ(pace.Limit(64, kBlock), 64);
  EXPECT_EQ(pace.Limit(0, kBlock), 1);
}

TEST(BatchPaceTest, CostlyBlocksRunInSmallerBatches) {
  BatchPace pace;
  pace.Learn(milliseconds(1), kBlock);
  EXPECT_EQ(pace.Limit(1'000, 5 * kBlock), 10);
}

TEST(BatchPaceTest, ALongRunIsSplitIntoParts) {
  BatchPace pace;
  pace.Learn(milliseconds(400), kBlock);
  EXPECT_EQ(pace.Parts(kBlock, false), 8);
  EXPECT_EQ(pace.Parts(4 * kBlock, false), 32);
  pace.Learn(milliseconds(1'000'000'000), kBlock);
  EXPECT_EQ(pace.Parts(kBlock, false), 1'000);
  BatchPace fast;
  fast.Learn(microseconds(500), kBlock);
  EXPECT_EQ(fast.Parts(50 * kBlock, false), 1);
}

// Nobody waits longer than a quarter of a second for a part that is urgent too.
TEST(BatchPaceTest, UrgentRunsHaveLongerParts) {
  BatchPace pace;
  pace.Learn(milliseconds(200), kBlock);
  EXPECT_EQ(pace.Parts(kBlock, true), 1);
  EXPECT_EQ(pace.Parts(40 * kBlock, true), 32);
}

TEST(BatchPaceTest, ARunOfOverASecondIsLong) {
  BatchPace pace;
  pace.Learn(milliseconds(200), kBlock);
  EXPECT_NEAR(static_cast<double>(pace.LongCells()), 5 * kBlock, 1);
}

TEST(BatchPaceTest, PartsSubmittedTogetherAreShorter) {
  BatchPace one;
  BatchPace two(2);
  for (BatchPace* const pace : {&one, &two}) pace->Learn(milliseconds(100), kBlock);
  EXPECT_EQ(one.Parts(kBlock, false), 2);
  EXPECT_EQ(two.Parts(kBlock, false), 4);
}

TEST(BatchPaceTest, AdaptsToADeviceThatBecomesSlow) {
  BatchPace pace;
  pace.Learn(milliseconds(1), kBlock);
  const int before = pace.Limit(1'000, kBlock);
  for (int n = 0; n < 20; ++n) pace.Learn(milliseconds(10), kBlock);
  EXPECT_GT(before, pace.Limit(1'000, kBlock));
  EXPECT_EQ(pace.Limit(1'000, kBlock), 5);
}

}  // namespace
}  // namespace thalweg::field
