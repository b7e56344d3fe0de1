#include "server/sharing/rate_limiter.h"

#include <gtest/gtest.h>

#include <random>

namespace thalweg::sharing {
namespace {

using std::chrono::milliseconds;

TEST(RateLimiterTest, AllowsASecondsWorthAtOnceAndThenNothing) {
  Time now{};
  RateLimiter limiter(10, now);
  for (int k = 0; k < 10; ++k) {
    ASSERT_EQ(limiter.Wait(now).count(), 0) << k;
    limiter.Consume(1, now);
  }
  EXPECT_GT(limiter.Wait(now).count(), 0);
}

TEST(RateLimiterTest, SaysHowLongToWait) {
  Time now{};
  RateLimiter limiter(10, now);
  limiter.Consume(15, now);
  const milliseconds wait = limiter.Wait(now);
  EXPECT_EQ(wait, milliseconds(501));
  EXPECT_GT(limiter.Wait(now + wait - milliseconds(2)).count(), 0);
  EXPECT_EQ(limiter.Wait(now + wait).count(), 0);
}

TEST(RateLimiterTest, ZeroMeansNoLimit) {
  Time now{};
  RateLimiter limiter(0, now);
  limiter.Consume(1e300, now);
  EXPECT_EQ(limiter.Wait(now).count(), 0);
}

TEST(RateLimiterTest, SlowRatesLetOneThrough) {
  Time now{};
  RateLimiter limiter(1e-9, now);
  EXPECT_EQ(limiter.Wait(now).count(), 0);
  limiter.Consume(1, now);
  limiter.Consume(1, now);
  EXPECT_GT(limiter.Wait(now), std::chrono::hours(24));
}

TEST(RateLimiterTest, IgnoresAClockThatRunsBackwards) {
  Time now{};
  now += std::chrono::hours(1);
  RateLimiter limiter(1, now);
  limiter.Consume(1, now);
  EXPECT_GT(limiter.Wait(now - std::chrono::minutes(5)).count(), 0);
  EXPECT_EQ(limiter.Wait(now + milliseconds(1)).count(), 0);
}

// How much a caller takes per second, if it asks at random times and takes all it may.
double TakenPerSecond(double rate, double cost, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Time now{};
  const Time begin = now;
  RateLimiter limiter(rate, now);
  double taken = 0;
  for (int k = 0; k < 20'000; ++k) {
    now += std::chrono::microseconds(random() % 20'000);
    if (limiter.Wait(now).count() > 0) continue;
    limiter.Consume(cost, now);
    taken += cost;
  }
  return taken / std::chrono::duration<double>(now - begin).count();
}

// In the long run, no more is taken than the rate, whatever each take costs.
TEST(RateLimiterTest, HoldsTheLimitOnAverage) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const double rate = 1 << (seed % 12);
    const double cost = 1 << (seed % 7);
    const double taken = TakenPerSecond(rate, cost, seed);
    // The run takes 200 s. The first second's budget and the last take may come in addition.
    EXPECT_LE(taken, rate * 1.02 + cost / 100) << "seed " << seed;
  }
}

// The twin: without a limit the same caller takes more.
TEST(RateLimiterTest, CallersTakeMoreWithoutALimit) {
  EXPECT_GT(TakenPerSecond(0, 64, 3), 64 * 1.02 * 8);
}

}  // namespace
}  // namespace thalweg::sharing
