#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <random>

#include "server/session/view_plan.h"

namespace thalweg::session {
namespace {

using std::chrono::milliseconds;

TEST(PlanPaceTest, IsMakingUntilAPlanIsFinished) {
  sharing::Time now{std::chrono::hours(1)};
  PlanPace pace(now);
  EXPECT_TRUE(pace.IsIdle());
  EXPECT_EQ(pace.Schedule(now), now);
  EXPECT_TRUE(pace.IsMaking());
  pace.Begin(now);
  EXPECT_TRUE(pace.IsMaking());
  pace.Follow(now);
  EXPECT_FALSE(pace.IsMaking());
  EXPECT_FALSE(pace.IsIdle());
  pace.End();
  EXPECT_TRUE(pace.IsIdle());
  // After a plan of 4 s, no plan may begin until its debt is paid.
  pace.Begin(now);
  now += std::chrono::seconds(4);
  pace.Follow(now);
  pace.End();
  EXPECT_GT(pace.Schedule(now), now);
  EXPECT_FALSE(pace.IsMaking());
  EXPECT_FALSE(pace.IsIdle());
}

// The limits hold however long plans take and however soon the next one is due.
TEST(PlanPaceTest, PlansAreLimitedInRateAndShareOfTime) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    const sharing::Time begin{std::chrono::hours(1)};
    sharing::Time now = begin;
    PlanPace pace(now);
    const auto longest = static_cast<int>(random() % 60 + 1);
    int plans = 0;
    double planned_s = 0;
    while (now < begin + std::chrono::seconds(20)) {
      now = pace.Schedule(now);
      const milliseconds took{random() % static_cast<std::uint64_t>(longest)};
      pace.Begin(now);
      now += took;
      pace.Follow(now);
      pace.End();
      ++plans;
      planned_s += std::chrono::duration<double>(took).count();
      const double passed_s = std::chrono::duration<double>(now - begin).count();
      // One second's budget may be used at once, and the last plan may exceed the budget.
      ASSERT_LE(plans, kPlansPerS * (passed_s + 1) + 1) << "seed " << seed;
      ASSERT_LE(planned_s, kPlanShare * (passed_s + 1) + 0.06) << "seed " << seed;
      if (random() % 50 == 0) now += milliseconds(random() % 2'000);
    }
    EXPECT_GT(plans, 100) << "seed " << seed;
  }
}

}  // namespace
}  // namespace thalweg::session
