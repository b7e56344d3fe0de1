#include "server/access/caller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <random>
#include <vector>

#include "proto/wire/status_details.h"

namespace thalweg::access {
namespace {

CallerPointer MakeCaller(Grant grant, const CallerLimits& limits) {
  return std::make_shared<Caller>(std::move(grant), limits, [] { return sharing::Time(); });
}

bool MayEnter(const CallerPointer& caller, CallKind kind) {
  const bool may = caller->Enter(kind).ok();
  if (may) caller->Leave(kind);
  return may;
}

TEST(CallerTest, LimitsConcurrentCalls) {
  Grant grant;
  grant.name = "game";
  const CallerPointer caller = MakeCaller(grant, {.max_calls = 2, .max_streams = 1});
  EXPECT_TRUE(caller->Enter(CallKind::kSingle).ok());
  EXPECT_TRUE(caller->Enter(CallKind::kStream).ok());
  const absl::Status refused = caller->Enter(CallKind::kSingle);
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(refused.message(),
            "token 'game' makes too many calls (max 2 at a time); try again in 1.000 s");
  EXPECT_TRUE(wire::RetryDelayOf(refused).has_value());
  caller->Leave(CallKind::kSingle);
  const absl::Status second = caller->Enter(CallKind::kStream);
  EXPECT_EQ(
      second.message(),
      "token 'game' has too many streams and sessions (max 1 at a time); try again in 1.000 s");
  EXPECT_TRUE(MayEnter(caller, CallKind::kSingle));
  caller->Leave(CallKind::kStream);
  EXPECT_TRUE(MayEnter(caller, CallKind::kStream));
}

TEST(CallerTest, ZeroMeansNoLimit) {
  const CallerPointer caller = MakeCaller({}, {});
  for (int n = 0; n < 10'000; ++n) ASSERT_TRUE(caller->Enter(CallKind::kStream).ok());
  EXPECT_TRUE(MayEnter(caller, CallKind::kSingle));
}

TEST(CallerTest, AGrantOverridesTheServersLimits) {
  Grant grant;
  grant.max_calls = 3;
  grant.max_streams = 0;
  const CallerPointer caller = MakeCaller(grant, {.max_calls = 1, .max_streams = 1});
  for (int n = 0; n < 3; ++n) ASSERT_TRUE(caller->Enter(CallKind::kStream).ok());
  EXPECT_FALSE(MayEnter(caller, CallKind::kSingle));
}

// Calls enter and leave at random, and the caller's counts are compared with the test's.
TEST(CallerTest, CountsItsCallsAndStreams) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::mt19937_64 random(seed);
    const CallerPointer caller = MakeCaller({}, {.max_calls = 20, .max_streams = 7});
    std::vector<CallKind> there;
    std::size_t streams = 0;
    for (int step = 0; step < 1'000; ++step) {
      const CallKind kind = random() % 2 == 0 ? CallKind::kSingle : CallKind::kStream;
      if (!there.empty() && random() % 2 == 0) {
        const std::size_t n = random() % there.size();
        if (there[n] == CallKind::kStream) --streams;
        caller->Leave(there[n]);
        there.erase(there.begin() + static_cast<std::ptrdiff_t>(n));
        continue;
      }
      const bool fits = there.size() < 20 && (kind == CallKind::kSingle || streams < 7);
      ASSERT_EQ(caller->Enter(kind).ok(), fits) << "seed " << seed << " step " << step;
      if (!fits) continue;
      if (kind == CallKind::kStream) ++streams;
      there.push_back(kind);
    }
  }
}

TEST(CallerTest, MessagesAreRateLimited) {
  sharing::Time now;
  Caller caller({}, {}, [&now] { return now; });
  // One second's budget may be sent at once.
  double sent = 0;
  for (; caller.PaceMessage(100).count() == 0; sent += 100) ASSERT_LT(sent, 2 * kMessagesPerS);
  EXPECT_NEAR(sent, kMessagesPerS, 200);
  EXPECT_FALSE(caller.IsFresh());
  // A message over the budget is accepted, and the next one must wait.
  const auto wait = caller.PaceMessage(2 * kMessagesPerS);
  EXPECT_NEAR(static_cast<double>(wait.count()), 2'000, 20);
  now += wait;
  EXPECT_LE(caller.PaceMessage(1).count(), 1);
  now += std::chrono::seconds(2);
  EXPECT_TRUE(caller.IsFresh());
}

}  // namespace
}  // namespace thalweg::access
