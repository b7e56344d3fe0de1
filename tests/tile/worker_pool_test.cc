#include "server/tile/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>

#include "absl/status/statusor.h"

namespace thalweg::tile {
namespace {

using Result = absl::StatusOr<int>;

void Ignore(const Result&) {}

TEST(WorkerPoolTest, FinishesAllWorkBeforeItGoes) {
  std::atomic<int> made = 0;
  std::atomic<int> done = 0;
  {
    WorkerPool pool(3);
    for (int k = 0; k < 1'000; ++k) {
      pool.Post(
          "count", [&made]() -> Result { return ++made; }, [&done](const Result&) { ++done; });
    }
  }
  EXPECT_EQ(made, 1'000);
  EXPECT_EQ(done, 1'000);
}

TEST(WorkerPoolTest, WorksAtTheSameTime) {
  std::promise<void> first;
  std::promise<void> second;
  WorkerPool pool(2);
  // Each piece of work waits for the other one.
  pool.Post(
      "first",
      [&]() -> Result {
        first.set_value();
        second.get_future().wait();
        return 1;
      },
      Ignore);
  pool.Post(
      "second",
      [&]() -> Result {
        first.get_future().wait();
        second.set_value();
        return 2;
      },
      Ignore);
}

TEST(WorkerPoolTest, TakesWorkFromWork) {
  std::promise<int> answer;
  WorkerPool pool(1);
  pool.Post(
      "outer", [] { return Result(7); },
      [&](const Result& outer) {
        pool.Post(
            "inner", [outer] { return outer; },
            [&](const Result& inner) { answer.set_value(*inner); });
      });
  EXPECT_EQ(answer.get_future().get(), 7);
}

TEST(WorkerPoolTest, HandsAnErrorOn) {
  std::promise<Result> answer;
  WorkerPool pool(1);
  pool.Post(
      "fail", [] { return Result(absl::DataLossError("lost")); },
      [&](const Result& result) { answer.set_value(result); });
  EXPECT_EQ(answer.get_future().get().status(), absl::DataLossError("lost"));
}

// The caller gets the error, and the thread goes on.
TEST(WorkerPoolTest, WorkThatThrowsIsAnInternalError) {
  WorkerPool pool(1);
  for (int n = 0; n < 10; ++n) {
    std::promise<Result> answer;
    pool.Post(
        "divide",
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

}  // namespace
}  // namespace thalweg::tile
