#include "server/tile/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace thalweg::tile {
namespace {

TEST(WorkerPoolTest, FinishesAllWorkBeforeItGoes) {
  std::atomic<int> done = 0;
  {
    WorkerPool pool(3);
    for (int k = 0; k < 1'000; ++k) pool.Post([&done] { ++done; });
  }
  EXPECT_EQ(done, 1'000);
}

TEST(WorkerPoolTest, WorksAtTheSameTime) {
  std::promise<void> first;
  std::promise<void> second;
  WorkerPool pool(2);
  // Each waits for the other one.
  pool.Post([&] {
    first.set_value();
    second.get_future().wait();
  });
  pool.Post([&] {
    first.get_future().wait();
    second.set_value();
  });
}

TEST(WorkerPoolTest, TakesWorkFromWork) {
  std::promise<int> answer;
  WorkerPool pool(1);
  pool.Post([&] { pool.Post([&] { answer.set_value(7); }); });
  EXPECT_EQ(answer.get_future().get(), 7);
}

}  // namespace
}  // namespace thalweg::tile
