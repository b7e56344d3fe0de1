#include <gtest/gtest.h>

#include "client/src/connection/transport.h"

namespace thalweg {
namespace {

TEST(DeadlineTest, IsByTheClockThatNobodySets) {
  const gpr_timespec before = gpr_now(GPR_CLOCK_MONOTONIC);
  const gpr_timespec deadline = DeadlineAfter(std::chrono::milliseconds(1'500));
  ASSERT_EQ(deadline.clock_type, GPR_CLOCK_MONOTONIC);
  EXPECT_GE(gpr_time_to_millis(gpr_time_sub(deadline, before)), 1'500);
}

TEST(DeadlineTest, MayBeForEver) {
  const gpr_timespec deadline = DeadlineAfter(std::chrono::milliseconds::max());
  EXPECT_EQ(gpr_time_cmp(deadline, gpr_inf_future(GPR_CLOCK_MONOTONIC)), 0);
}

}  // namespace
}  // namespace thalweg
