#include "server/sharing/threads.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "tests/starved.h"

namespace thalweg::sharing {
namespace {

using Clock = std::chrono::steady_clock;

TEST(TimerThreadsTest, RunsDueWorkInOrder) {
  TimerThreads timer(1);
  std::promise<void> gate;
  std::promise<void> at_gate;
  timer.Post({}, [&] {
    at_gate.set_value();
    gate.get_future().wait();
  });
  at_gate.get_future().wait();
  std::vector<int> order;
  std::promise<void> done;
  const Clock::time_point now = Clock::now();
  timer.Post(now, [&] { order.push_back(2); });
  timer.Post(now, [&] { order.push_back(3); });
  timer.Post(now - std::chrono::seconds(1), [&] { order.push_back(1); });
  timer.Post(now, [&] { done.set_value(); });
  gate.set_value();
  done.get_future().wait();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(TimerThreadsTest, NothingRunsBeforeItsTime) {
  TimerThreads timer(2);
  const Clock::time_point due = Clock::now() + std::chrono::milliseconds(30);
  std::promise<Clock::time_point> ran;
  timer.Post(due, [&] { ran.set_value(Clock::now()); });
  EXPECT_GE(ran.get_future().get(), due);
}

TEST(TimerThreadsTest, DueWorkDoesNotWaitForLaterWork) {
  TimerThreads timer(1);
  std::atomic<bool> later = false;
  timer.Post(Clock::now() + std::chrono::hours(1), [&] { later = true; });
  std::promise<void> now;
  timer.Post({}, [&] { now.set_value(); });
  now.get_future().wait();
  EXPECT_FALSE(later);
}

// The two pieces of work wait for each other, so each needs its own thread.
TEST(TimerThreadsTest, HasTheGivenNumberOfThreads) {
  TimerThreads timer(2);
  std::promise<void> first;
  std::promise<void> second;
  std::promise<void> done;
  timer.Post({}, [&] {
    first.set_value();
    second.get_future().wait();
    done.set_value();
  });
  timer.Post({}, [&] {
    first.get_future().wait();
    second.set_value();
  });
  done.get_future().wait();
}

TEST(TimerThreadsTest, DropsWaitingWorkWhenDestroyed) {
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> watch = held;
  bool ran = false;
  {
    TimerThreads timer(1);
    timer.Post(Clock::now() + std::chrono::hours(1),
               [held = std::move(held), &ran] { ran = true; });
  }
  EXPECT_FALSE(ran);
  EXPECT_TRUE(watch.expired());
}

TEST(TimerThreadsTest, ThrowsIfThreadsRunOut) {
  if (!kThreadsCanRunOut) GTEST_SKIP();
  EXPECT_TRUE(ThrowsForWantOfThreads([] { const TimerThreads threads(kTooManyThreads); }));
}

int NiceOfThisThread() { return getpriority(PRIO_PROCESS, 0); }

TEST(GiveWayTest, AppliesToTheThreadAndThoseThatItStarts) {
  const int before = NiceOfThisThread();
  int own = 0;
  int child = 0;
  std::jthread([&] {
    GiveWay();
    own = NiceOfThisThread();
    std::jthread([&] { child = NiceOfThisThread(); });
  }).join();
  EXPECT_GT(own, before);
  EXPECT_EQ(child, own);
  EXPECT_EQ(NiceOfThisThread(), before);
}

}  // namespace
}  // namespace thalweg::sharing
