#include "server/metrics/endpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/metrics/knock.h"

namespace thalweg::metrics {
namespace {

using ::testing::HasSubstr;

TEST(EndpointTest, RefusesWhatIsNoAddress) {
  for (const char* const wrong : {"", "9464", ":9464", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0s",
                                  "127.0.0.1:0,0.0.0.0:0", "127.0.0.1:http"}) {
    EXPECT_EQ(Endpoint::Start(wrong, {}).status().code(), absl::StatusCode::kInvalidArgument)
        << wrong;
  }
}

TEST(EndpointTest, SaysThatAnAddressIsTaken) {
  const auto first = Endpoint::Start("127.0.0.1:0", {});
  ASSERT_TRUE(first.ok()) << first.status();
  const std::string address = "127.0.0.1:" + std::to_string((*first)->port());
  const absl::Status taken = Endpoint::Start(address, {}).status();
  EXPECT_EQ(taken.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(taken.message()), HasSubstr(address));
}

// At any address.
TEST(EndpointTest, StopsWherever) {
  for (const char* const address : {"127.0.0.1:0", "0.0.0.0:0"}) {
    auto endpoint = Endpoint::Start(address, {});
    ASSERT_TRUE(endpoint.ok()) << endpoint.status();
    EXPECT_GT((*endpoint)->port(), 0);
    endpoint->reset();
  }
}

// Nobody has to listen.
TEST(KnockTest, MayBeUnheard) {
  int port = 0;
  {
    const auto endpoint = Endpoint::Start("127.0.0.1:0", {});
    ASSERT_TRUE(endpoint.ok()) << endpoint.status();
    port = (*endpoint)->port();
  }
  Knock("127.0.0.1", port);
  Knock("[::1]", port);
  Knock("no address", port);
}

}  // namespace
}  // namespace thalweg::metrics
