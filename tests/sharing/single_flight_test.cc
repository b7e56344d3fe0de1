#include "server/sharing/single_flight.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <random>
#include <thread>
#include <vector>

namespace thalweg::sharing {
namespace {

using Done = std::function<void(int)>;
using Flights = SingleFlight<int, Done>;
using Kept = LruCache<int, int>;

TEST(SingleFlightTest, TheFirstCallerComputesForAll) {
  Flights flights;
  Kept none(0);
  std::vector<int> results;
  for (int caller = 0; caller < 3; ++caller) {
    EXPECT_EQ(flights.Join(
                  7, [&](int result) { results.push_back(result); }, none),
              caller == 0);
  }
  EXPECT_TRUE(results.empty());
  flights.Land(7, 49);
  EXPECT_EQ(results, std::vector<int>(3, 49));
  // The flight has ended: the next one is first again.
  EXPECT_TRUE(flights.Join(
      7, [](int) {}, none));
  flights.Land(7, 49);
}

TEST(SingleFlightTest, OtherKeysAreOtherFlights) {
  Flights flights;
  Kept none(0);
  int seven = 0;
  EXPECT_TRUE(flights.Join(
      7, [&seven](int result) { seven = result; }, none));
  EXPECT_TRUE(flights.Join(
      8, [](int) {}, none));
  flights.Land(8, 64);
  EXPECT_EQ(seven, 0);
  flights.Land(7, 49);
  EXPECT_EQ(seven, 49);
}

TEST(SingleFlightTest, KeptResultsAreNotComputedAgain) {
  Flights flights;
  Kept kept(1);
  kept.Insert(7, 49, 1);
  int result = 0;
  EXPECT_FALSE(flights.Join(
      7, [&result](int found) { result = found; }, kept));
  EXPECT_EQ(result, 49);
}

// Threads ask for a few keys, whose results are kept. Each is computed once, and each caller is
// answered once.
TEST(SingleFlightTest, EachKeyIsComputedOnce) {
  constexpr int kThreads = 4;
  constexpr int kCalls = 2'000;
  constexpr int kKeys = 50;
  // 0 is the default value, which means none.
  const auto result_of = [](int key) { return key * key + 1; };
  Flights flights;
  Kept kept(kKeys);
  std::atomic<int> computed = 0;
  std::atomic<int> answers = 0;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < kThreads; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937 random(seed);
      for (int call = 0; call < kCalls; ++call) {
        const int key = static_cast<int>(random() % kKeys);
        const auto done = [&, key](int result) {
          ++answers;
          if (result != result_of(key)) ++wrong;
        };
        if (!flights.Join(key, done, kept)) continue;
        ++computed;
        kept.Insert(key, result_of(key), 1);
        flights.Land(key, result_of(key));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(computed, kKeys);
  EXPECT_EQ(answers, kThreads * kCalls);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace thalweg::sharing
