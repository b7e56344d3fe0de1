#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "server/cache/shared/memcached_server.h"
#include "tests/cache/fake_memcached.h"

namespace thalweg::cache {
namespace {

using std::chrono::milliseconds;

class CircuitBreakerTest : public testing::Test {
 protected:
  // Makes a call, without asking whether it is allowed.
  void Call(bool works) {
    works_ = works;
    EXPECT_EQ(server_.Get("key").ok(), works);
  }
  void Fail(int times) {
    for (int n = 0; n < times; ++n) {
      EXPECT_TRUE(server_.Allow());
      Call(false);
    }
  }
  bool closed() const { return server_.health().ok(); }

  MemcachedServer::Clock::time_point now_;
  std::atomic<bool> works_ = true;
  FakeMemcached fake_{[this](const std::string&) {
    return FakeMemcached::Answer{.bytes = works_ ? "END\r\n" : "nonsense\r\n"};
  }};
  // With this timeout, a busy machine causes no failure.
  MemcachedServer server_{
      fake_.address(),
      {.timeout = std::chrono::seconds(60), .breaker = {.failures = 3, .pause = milliseconds(100)}},
      [this] { return now_; }};
};

TEST_F(CircuitBreakerTest, OpensAfterFailuresInARow) {
  Fail(2);
  EXPECT_TRUE(closed());
  Fail(1);
  EXPECT_FALSE(closed());
  EXPECT_FALSE(server_.Allow());
}

TEST_F(CircuitBreakerTest, ASuccessResetsTheCountOfFailures) {
  Fail(2);
  Call(true);
  Fail(2);
  EXPECT_TRUE(server_.Allow());
}

TEST_F(CircuitBreakerTest, OneCallIsAllowedAfterThePause) {
  Fail(3);
  now_ += milliseconds(99);
  EXPECT_FALSE(server_.Allow());
  now_ += milliseconds(1);
  EXPECT_TRUE(server_.Allow());
  EXPECT_FALSE(server_.Allow());
  Call(true);
  EXPECT_TRUE(closed());
  EXPECT_TRUE(server_.Allow());
}

TEST_F(CircuitBreakerTest, AFailedAttemptBeginsAnotherPause) {
  Fail(3);
  now_ += milliseconds(100);
  Fail(1);
  EXPECT_FALSE(server_.Allow());
  now_ += milliseconds(100);
  EXPECT_TRUE(server_.Allow());
}

TEST_F(CircuitBreakerTest, EarlierCallsDoNotProlongThePause) {
  ASSERT_TRUE(server_.Allow());
  Fail(3);
  now_ += milliseconds(50);
  Call(false);
  now_ += milliseconds(50);
  EXPECT_TRUE(server_.Allow());
}

}  // namespace
}  // namespace thalweg::cache
