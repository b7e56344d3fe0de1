#include <gtest/gtest.h>

#include "client/src/connection/transport.h"

namespace thalweg {
namespace {

TEST(GrpcStatusTest, KeepsCodeAndMessage) {
  const absl::Status status = FromGrpc({grpc::StatusCode::NOT_FOUND, "no such world"});
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message(), "no such world");
}

TEST(GrpcStatusTest, CallThatAProxyCutIsUnavailable) {
  const absl::Status status =
      FromGrpc({grpc::StatusCode::INTERNAL, "Received RST_STREAM with error code 2"});
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
}

TEST(GrpcStatusTest, FaultOfTheServerStaysInternal) {
  const absl::Status status = FromGrpc({grpc::StatusCode::INTERNAL, "device lost"});
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
}

}  // namespace
}  // namespace thalweg
