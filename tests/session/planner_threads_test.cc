#include "server/session/planner_threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <vector>

#include "tests/starved.h"

namespace thalweg::session {
namespace {

using Clock = std::chrono::steady_clock;

TEST(PlannerThreadsTest, RunsWhatIsDueInTheOrderOfItsTime) {
  PlannerThreads planner(1);
  std::promise<void> gate;
  std::promise<void> at_gate;
  planner.Post({}, [&] {
    at_gate.set_value();
    gate.get_future().wait();
  });
  at_gate.get_future().wait();
  std::vector<int> order;
  std::promise<void> done;
  const Clock::time_point now = Clock::now();
  planner.Post(now, [&] { order.push_back(2); });
  planner.Post(now, [&] { order.push_back(3); });
  planner.Post(now - std::chrono::seconds(1), [&] { order.push_back(1); });
  planner.Post(now, [&] { done.set_value(); });
  gate.set_value();
  done.get_future().wait();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(PlannerThreadsTest, NothingRunsBeforeItsTime) {
  PlannerThreads planner(2);
  const Clock::time_point due = Clock::now() + std::chrono::milliseconds(30);
  std::promise<Clock::time_point> ran;
  planner.Post(due, [&] { ran.set_value(Clock::now()); });
  EXPECT_GE(ran.get_future().get(), due);
}

TEST(PlannerThreadsTest, WhatIsDueNowNeedNotWaitForWhatIsDueLater) {
  PlannerThreads planner(1);
  std::atomic<bool> later = false;
  planner.Post(Clock::now() + std::chrono::hours(1), [&] { later = true; });
  std::promise<void> now;
  planner.Post({}, [&] { now.set_value(); });
  now.get_future().wait();
  EXPECT_FALSE(later);
}

// The two pieces of work wait for each other, so each needs its own thread.
TEST(PlannerThreadsTest, HasSoManyThreads) {
  PlannerThreads planner(2);
  std::promise<void> first;
  std::promise<void> second;
  std::promise<void> done;
  planner.Post({}, [&] {
    first.set_value();
    second.get_future().wait();
    done.set_value();
  });
  planner.Post({}, [&] {
    first.get_future().wait();
    second.set_value();
  });
  done.get_future().wait();
}

TEST(PlannerThreadsTest, DropsWhatWaitsWhenItGoes) {
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> watch = held;
  bool ran = false;
  {
    PlannerThreads planner(1);
    planner.Post(Clock::now() + std::chrono::hours(1),
                 [held = std::move(held), &ran] { ran = true; });
  }
  EXPECT_FALSE(ran);
  EXPECT_TRUE(watch.expired());
}

TEST(PlannerThreadsTest, ThrowsWhereThreadsRunOut) {
  if (!kThreadsCanRunOut) GTEST_SKIP();
  EXPECT_TRUE(ThrowsForWantOfThreads([] { const PlannerThreads threads(kTooManyThreads); }));
}

}  // namespace
}  // namespace thalweg::session
