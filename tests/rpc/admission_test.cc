#include "server/rpc/admission.h"

#include <gtest/gtest.h>

namespace thalweg::rpc {
namespace {

TEST(StatusTest, KeepsCodeAndMessage) {
  for (int code = 0; code <= 16; ++code) {
    const absl::Status status(static_cast<absl::StatusCode>(code), "what happened");
    const grpc::Status translated = ToGrpcStatus(status);
    EXPECT_EQ(static_cast<int>(translated.error_code()), code);
    EXPECT_EQ(translated.error_message(), status.message());
  }
}

}  // namespace
}  // namespace thalweg::rpc
