#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "server/session/session.h"

namespace thalweg::session {
namespace {

// Whatever sessions do, the counts agree with the sessions that are open.
TEST(SessionCountersTest, CountOpenAndStalledSessions) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    SessionCounters counters;
    struct Open {
      CountedSession session;
      bool stalled = false;
    };
    std::vector<Open> open;
    std::uint64_t begun = 0;
    std::uint64_t stalls = 0;
    for (int step = 0; step < 1'000; ++step) {
      if (open.empty() || random() % 4 == 0) {
        open.push_back({CountedSession(counters)});
        ++begun;
      } else if (random() % 4 == 0) {
        open.back().session.End();
        open.pop_back();
      } else {
        Open& one = open[random() % open.size()];
        const bool stalled = random() % 2 == 0;
        if (stalled && !one.stalled) ++stalls;
        one.stalled = stalled;
        one.session.SetStalled(stalled);
      }
      std::int64_t stalled = 0;
      for (const Open& one : open) stalled += one.stalled ? 1 : 0;
      ASSERT_EQ(counters.begun, begun) << "seed " << seed;
      ASSERT_EQ(counters.open, static_cast<std::int64_t>(open.size())) << "seed " << seed;
      ASSERT_EQ(counters.stalled, stalled) << "seed " << seed;
      ASSERT_EQ(counters.credit_stalls, stalls) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace thalweg::session
