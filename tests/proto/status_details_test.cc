#include "proto/wire/status_details.h"

#include <gtest/gtest.h>

#include "thalweg/details/v1/status_details.pb.h"

namespace thalweg::wire {
namespace {

using std::chrono::milliseconds;

TEST(StatusDetailsTest, CarriesADelay) {
  for (const std::int64_t ms : {0, 1, 999, 1'000, 61'001}) {
    absl::Status sent = absl::ResourceExhaustedError("slowly");
    SetRetryDelay(sent, milliseconds(ms));
    absl::Status received(sent.code(), sent.message());
    DecodeDetails(EncodeDetails(sent), received);
    EXPECT_EQ(RetryDelayOf(received), milliseconds(ms));
    EXPECT_EQ(received, sent);
  }
}

// google.rpc.Status { code: 8 message: "x" details { type_url: "…RetryInfo" value { seconds: 2 } }
// }
TEST(StatusDetailsTest, UsesGooglesWireFormat) {
  absl::Status status = absl::ResourceExhaustedError("x");
  SetRetryDelay(status, milliseconds(2'000));
  const std::string url = "type.googleapis.com/google.rpc.RetryInfo";
  const std::string any = "\x0a" + std::string(1, static_cast<char>(url.size())) + url +
                          std::string("\x12\x04\x0a\x02\x08\x02", 6);
  EXPECT_EQ(EncodeDetails(status),
            "\x08\x08\x12\x01x\x1a" + std::string(1, static_cast<char>(any.size())) + any);
}

TEST(StatusDetailsTest, ErrorsWithoutDetailsHaveNoBytes) {
  EXPECT_EQ(EncodeDetails(absl::NotFoundError("x")), "");
  EXPECT_EQ(RetryDelayOf(absl::NotFoundError("x")), std::nullopt);
  EXPECT_EQ(RetryDelayOf(absl::OkStatus()), std::nullopt);
}

TEST(StatusDetailsTest, GarbageAddsNoDetails) {
  absl::Status status = absl::NotFoundError("x");
  DecodeDetails("\xff\xff garbage", status);
  EXPECT_EQ(status, absl::NotFoundError("x"));
}

TEST(StatusDetailsTest, HugeDelaysAreBounded) {
  for (const std::int64_t seconds : {std::int64_t{-5}, INT64_MIN, INT64_MAX}) {
    details::v1::RetryInfo info;
    info.mutable_retry_delay()->set_seconds(seconds);
    info.mutable_retry_delay()->set_nanos(-1);
    absl::Status status = absl::ResourceExhaustedError("x");
    status.SetPayload("type.googleapis.com/google.rpc.RetryInfo",
                      absl::Cord(info.SerializeAsString()));
    ASSERT_TRUE(RetryDelayOf(status).has_value());
    EXPECT_GE(RetryDelayOf(status)->count(), 0);
  }
}

}  // namespace
}  // namespace thalweg::wire
