#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <future>
#include <stdexcept>
#include <vector>

#include "absl/status/statusor.h"
#include "server/sharing/threads.h"
#include "tests/starved.h"

namespace thalweg::sharing {
namespace {

using Result = absl::StatusOr<int>;

constexpr std::uint64_t kClient = 1;

void Ignore(const Result&) {}

TEST(WorkerPoolTest, FinishesAllWorkBeforeItIsDestroyed) {
  std::atomic<int> made = 0;
  std::atomic<int> done = 0;
  {
    WorkerPool pool(3);
    for (int k = 0; k < 1'000; ++k) {
      pool.Post(
          kClient, "count", [&made]() -> Result { return ++made; },
          [&done](const Result&) { ++done; });
    }
  }
  EXPECT_EQ(made, 1'000);
  EXPECT_EQ(done, 1'000);
}

TEST(WorkerPoolTest, RunsWorkConcurrently) {
  std::promise<void> first;
  std::promise<void> second;
  WorkerPool pool(2);
  // Each piece of work waits for the other one.
  pool.Post(
      kClient, "first",
      [&]() -> Result {
        first.set_value();
        second.get_future().wait();
        return 1;
      },
      Ignore);
  pool.Post(
      kClient, "second",
      [&]() -> Result {
        first.get_future().wait();
        second.set_value();
        return 2;
      },
      Ignore);
}

TEST(WorkerPoolTest, ThrowsIfThreadsRunOut) {
  if (!kThreadsCanRunOut) GTEST_SKIP();
  EXPECT_TRUE(ThrowsForWantOfThreads([] { const WorkerPool pool(kTooManyThreads); }));
}

TEST(WorkerPoolTest, WorkMayAddWork) {
  std::promise<int> answer;
  WorkerPool pool(1);
  pool.Post(
      kClient, "outer", [] { return Result(7); },
      [&](const Result& outer) {
        pool.Post(
            kClient, "inner", [outer] { return outer; },
            [&](const Result& inner) { answer.set_value(*inner); });
      });
  EXPECT_EQ(answer.get_future().get(), 7);
}

TEST(WorkerPoolTest, PassesAnErrorOn) {
  std::promise<Result> answer;
  WorkerPool pool(1);
  pool.Post(
      kClient, "fail", [] { return Result(absl::DataLossError("lost")); },
      [&](const Result& result) { answer.set_value(result); });
  EXPECT_EQ(answer.get_future().get().status(), absl::DataLossError("lost"));
}

// The caller gets the error, and the thread goes on.
TEST(WorkerPoolTest, WorkThatThrowsIsAnInternalError) {
  WorkerPool pool(1);
  for (int n = 0; n < 10; ++n) {
    std::promise<Result> answer;
    pool.Post(
        kClient, "divide",
        [n]() -> Result {
          if (n % 2 == 0) throw std::out_of_range("no layer");
          throw n;
        },
        [&](const Result& result) { answer.set_value(result); });
    const absl::Status status = answer.get_future().get().status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
    EXPECT_EQ(status.message(), n % 2 == 0 ? "divide: no layer" : "divide: unknown exception");
  }
}

// A thousand pieces of one client wait. The piece of another, which came last, is the next.
TEST(WorkerPoolTest, ManyPiecesOfOneClientDelayNoOtherClient) {
  std::promise<void> release;
  std::promise<std::size_t> waited;
  std::atomic<std::size_t> crowd = 0;
  {
    WorkerPool pool(1);
    std::promise<void> begun;
    pool.Post(
        kClient, "hold the thread",
        [&]() -> Result {
          begun.set_value();
          release.get_future().wait();
          return 0;
        },
        Ignore);
    begun.get_future().wait();
    for (int k = 0; k < 1'000; ++k) {
      pool.Post(
          kClient, "crowd", [&crowd]() -> Result { return ++crowd, 0; }, Ignore);
    }
    pool.Post(
        kClient + 1, "other", [] { return Result(0); },
        [&](const Result&) { waited.set_value(crowd); });
    release.set_value();
  }
  EXPECT_LE(waited.get_future().get(), 1U);
  EXPECT_EQ(crowd, 1'000U);
}

// The clock of the test shows only the time that the work takes.
TEST(WorkerPoolTest, SharesThreadsByTheDurationOfWork) {
  using std::chrono::milliseconds;
  std::atomic<milliseconds::rep> now_ms = 0;
  std::promise<void> release;
  std::vector<std::uint64_t> order;
  {
    WorkerPool pool(
        1, [&now_ms] { return std::chrono::steady_clock::time_point(milliseconds(now_ms)); });
    const auto post = [&](std::uint64_t client, int took_ms) {
      pool.Post(
          client, "take time",
          [&, client, took_ms]() -> Result {
            order.push_back(client);
            now_ms += took_ms;
            return 0;
          },
          Ignore);
    };
    std::promise<void> begun;
    pool.Post(
        3, "hold the thread",
        [&]() -> Result {
          begun.set_value();
          release.get_future().wait();
          return 0;
        },
        Ignore);
    begun.get_future().wait();
    for (int k = 0; k < 20; ++k) post(1, 40);
    for (int k = 0; k < 80; ++k) post(2, 10);
    release.set_value();
  }
  // Both need 800 ms. Whenever a client has work left, it has had as much time as the other one,
  // but for a piece of each.
  int used_ms[3] = {};
  for (const std::uint64_t client : order) {
    used_ms[client] += client == 1 ? 40 : 10;
    EXPECT_LE(std::abs(used_ms[1] - used_ms[2]), 2 * 40 + 10);
  }
  EXPECT_EQ(order.size(), 100U);
}

}  // namespace
}  // namespace thalweg::sharing
