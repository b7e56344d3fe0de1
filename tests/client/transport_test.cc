#include "client/src/connection/transport.h"

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(GrpcStatusTest, KeepsCodeAndMessage) {
  const absl::Status status = FromGrpc({grpc::StatusCode::NOT_FOUND, "no such world"});
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message(), "no such world");
}

TEST(GrpcStatusTest, ACallCutByAProxyIsUnavailable) {
  const absl::Status status =
      FromGrpc({grpc::StatusCode::INTERNAL, "Received RST_STREAM with error code 2"});
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
}

TEST(GrpcStatusTest, AnErrorOfTheServerStaysInternal) {
  const absl::Status status = FromGrpc({grpc::StatusCode::INTERNAL, "device lost"});
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
}

TEST(DeadlineTest, UsesTheMonotonicClock) {
  const gpr_timespec before = gpr_now(GPR_CLOCK_MONOTONIC);
  const gpr_timespec deadline = DeadlineAfter(std::chrono::milliseconds(1'500));
  ASSERT_EQ(deadline.clock_type, GPR_CLOCK_MONOTONIC);
  EXPECT_GE(gpr_time_to_millis(gpr_time_sub(deadline, before)), 1'500);
}

TEST(DeadlineTest, MayBeInfinite) {
  const gpr_timespec deadline = DeadlineAfter(std::chrono::milliseconds::max());
  EXPECT_EQ(gpr_time_cmp(deadline, gpr_inf_future(GPR_CLOCK_MONOTONIC)), 0);
}

}  // namespace
}  // namespace thalweg
