#include <gtest/gtest.h>

#include "server/cache/shared/memcached_server.h"

namespace thalweg::cache {
namespace {

using std::chrono::milliseconds;

class CircuitBreakerTest : public testing::Test {
 protected:
  void Fail(int times) {
    for (int n = 0; n < times; ++n) {
      EXPECT_TRUE(breaker_.Allow());
      breaker_.Failed();
    }
  }

  CircuitBreaker::Clock::time_point now_;
  CircuitBreaker breaker_{{.failures = 3, .pause = milliseconds(100)}, [this] { return now_; }};
};

TEST_F(CircuitBreakerTest, OpensAfterFailuresInARow) {
  Fail(2);
  EXPECT_TRUE(breaker_.closed());
  Fail(1);
  EXPECT_FALSE(breaker_.closed());
  EXPECT_FALSE(breaker_.Allow());
}

TEST_F(CircuitBreakerTest, ASuccessBetweenThemCounts) {
  Fail(2);
  breaker_.Succeeded();
  Fail(2);
  EXPECT_TRUE(breaker_.Allow());
}

TEST_F(CircuitBreakerTest, OneTriesAfterThePause) {
  Fail(3);
  now_ += milliseconds(99);
  EXPECT_FALSE(breaker_.Allow());
  now_ += milliseconds(1);
  EXPECT_TRUE(breaker_.Allow());
  EXPECT_FALSE(breaker_.Allow());
  breaker_.Succeeded();
  EXPECT_TRUE(breaker_.closed());
  EXPECT_TRUE(breaker_.Allow());
}

TEST_F(CircuitBreakerTest, AFailedTryBeginsAnotherPause) {
  Fail(3);
  now_ += milliseconds(100);
  Fail(1);
  EXPECT_FALSE(breaker_.Allow());
  now_ += milliseconds(100);
  EXPECT_TRUE(breaker_.Allow());
}

TEST_F(CircuitBreakerTest, CallsOfBeforeDoNotProlongThePause) {
  ASSERT_TRUE(breaker_.Allow());
  Fail(3);
  now_ += milliseconds(50);
  breaker_.Failed();
  now_ += milliseconds(50);
  EXPECT_TRUE(breaker_.Allow());
}

}  // namespace
}  // namespace thalweg::cache
