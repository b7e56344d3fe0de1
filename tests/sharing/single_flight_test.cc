#include "server/sharing/single_flight.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace thalweg::sharing {
namespace {

using Done = std::function<void(int)>;
using Flights = SingleFlight<int, Done>;
using Place = Flights::Place;

bool Never() { return false; }

TEST(SingleFlightTest, TheFirstComputesForAllWhoJoin) {
  Flights flights;
  std::vector<int> results;
  for (int caller = 0; caller < 3; ++caller) {
    Done done = [&results](int result) { results.push_back(result); };
    EXPECT_EQ(flights.Join(7, done, Never), caller == 0 ? Place::kFirst : Place::kJoined);
  }
  EXPECT_TRUE(results.empty());
  flights.Land(7, 49);
  EXPECT_EQ(results, std::vector<int>(3, 49));
  // The flight has ended: the next one is first again.
  Done done = [](int) {};
  EXPECT_EQ(flights.Join(7, done, Never), Place::kFirst);
  flights.Land(7, 49);
}

TEST(SingleFlightTest, OtherKeysAreOtherFlights) {
  Flights flights;
  int seven = 0;
  Done done_7 = [&seven](int result) { seven = result; };
  Done done_8 = [](int) {};
  EXPECT_EQ(flights.Join(7, done_7, Never), Place::kFirst);
  EXPECT_EQ(flights.Join(8, done_8, Never), Place::kFirst);
  flights.Land(8, 64);
  EXPECT_EQ(seven, 0);
  flights.Land(7, 49);
  EXPECT_EQ(seven, 49);
}

TEST(SingleFlightTest, WhatIsKeptIsNotComputedAgain) {
  Flights flights;
  bool called = false;
  Done done = [&called](int) { called = true; };
  EXPECT_EQ(flights.Join(7, done, [] { return true; }), Place::kKept);
  ASSERT_TRUE(done);
  done(49);
  EXPECT_TRUE(called);
}

// Threads ask for a few keys, whose results are kept. Each is computed once, and each caller is
// answered once.
TEST(SingleFlightTest, EachKeyIsComputedOnce) {
  constexpr int kThreads = 4;
  constexpr int kCalls = 2'000;
  constexpr int kKeys = 50;
  Flights flights;
  std::mutex mutex;
  std::map<int, int> kept;
  std::atomic<int> computed = 0;
  std::atomic<int> answers = 0;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < kThreads; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937 random(seed);
      for (int call = 0; call < kCalls; ++call) {
        const int key = static_cast<int>(random() % kKeys);
        Done done = [&, key](int result) {
          ++answers;
          if (result != key * key) ++wrong;
        };
        const Place place = flights.Join(key, done, [&] {
          const std::lock_guard lock(mutex);
          return kept.contains(key);
        });
        if (place == Place::kKept) done(key * key);
        if (place != Place::kFirst) continue;
        ++computed;
        {
          const std::lock_guard lock(mutex);
          kept[key] = key * key;
        }
        flights.Land(key, key * key);
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
