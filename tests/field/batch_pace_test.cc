#include "server/field/batch_pace.h"

#include <gtest/gtest.h>

namespace thalweg::field {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST(BatchPaceTest, IsOneBlockAsLongAsNothingIsKnown) { EXPECT_EQ(BatchPace().Limit(64), 1); }

TEST(BatchPaceTest, SlowDevicesTakeOneBlockAtATime) {
  BatchPace pace;
  pace.Learn(milliseconds(800), 4);
  EXPECT_EQ(pace.Limit(64), 1);
}

TEST(BatchPaceTest, FastDevicesTakeAllThatFit) {
  BatchPace pace;
  pace.Learn(microseconds(1'000), 4);
  EXPECT_EQ(pace.Limit(64), 64);
  EXPECT_EQ(pace.Limit(0), 1);
}

TEST(BatchPaceTest, ALongRunIsDoneInParts) {
  BatchPace pace;
  EXPECT_EQ(pace.Parts(4), 1);
  pace.Learn(milliseconds(400), 1);
  EXPECT_EQ(pace.Parts(1), 8);
  EXPECT_EQ(pace.Parts(4), 32);
  pace.Learn(milliseconds(1'000'000), 1);
  EXPECT_EQ(pace.Parts(1), 100);
  BatchPace fast;
  fast.Learn(microseconds(500), 1);
  EXPECT_EQ(fast.Parts(50), 1);
}

TEST(BatchPaceTest, WhatIsSubmittedTogetherTakesNoLonger) {
  BatchPace one;
  BatchPace two(2);
  for (BatchPace* const pace : {&one, &two}) pace->Learn(std::chrono::milliseconds(100), 1);
  EXPECT_EQ(one.Parts(1), 2);
  EXPECT_EQ(two.Parts(1), 4);
}

TEST(BatchPaceTest, FollowsADeviceThatBecomesSlow) {
  BatchPace pace;
  pace.Learn(milliseconds(1), 1);
  const int before = pace.Limit(1'000);
  for (int n = 0; n < 20; ++n) pace.Learn(milliseconds(10), 1);
  EXPECT_GT(before, pace.Limit(1'000));
  EXPECT_EQ(pace.Limit(1'000), 5);
}

}  // namespace
}  // namespace thalweg::field
