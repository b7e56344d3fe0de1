#include "server/calls/background.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <functional>
#include <future>

#include "proto/wire/status_details.h"
#include "tests/world/spec_fixtures.h"

namespace thalweg::calls {
namespace {

constexpr int kMaxWaiting = 256;

class BackgroundTest : public testing::Test {
 protected:
  BackgroundTest() {
    // Both threads work until the test releases them.
    for (std::promise<void>& busy : busy_) {
      EXPECT_TRUE(Run([this, &busy] {
                    busy.set_value();
                    released_.wait();
                  }).ok());
      busy.get_future().wait();
    }
  }

  absl::Status Run(const std::function<void()>& work) { return Run(work, workers_->compilers); }
  static absl::Status Run(const std::function<void()>& work, tile::WorkerPool& threads) {
    return RunInBackground(
        threads, "test",
        [work] {
          work();
          return absl::OkStatus();
        },
        [](const absl::Status&) {});
  }

  const std::unique_ptr<world::WorldLibrary> worlds_ =
      world::WorldLibrary::Of({*world::World::Create(world::SmallSpec())});
  std::array<std::promise<void>, 2> busy_;
  std::promise<void> release_;
  const std::shared_future<void> released_ = release_.get_future().share();
  std::unique_ptr<Workers> workers_ = std::make_unique<Workers>();
  Engine engine_{.worlds = worlds_.get(), .workers = workers_.get()};
};

TEST_F(BackgroundTest, TooMuchIsRefusedWithADelay) {
  std::atomic<int> done = 0;
  for (int n = 0; n < kMaxWaiting; ++n) {
    ASSERT_TRUE(Run([&done] { ++done; }).ok()) << n;
  }
  const absl::Status refused = Run([&done] { ++done; });
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(wire::RetryDelayOf(refused).has_value());
  // A world that must be compiled is refused too. An existing world needs no worker.
  absl::Status found;
  FindWorld(engine_, "alps@7", [&](const auto& world) { found = world.status(); });
  EXPECT_EQ(found.code(), absl::StatusCode::kResourceExhausted);
  FindWorld(engine_, "alps", [&](const auto& world) { found = world.status(); });
  EXPECT_TRUE(found.ok());
  // Work of the keeper does not wait behind that of the compilers.
  std::promise<void> kept;
  EXPECT_TRUE(Run([&kept] { kept.set_value(); }, workers_->keeper).ok());
  kept.get_future().wait();
  release_.set_value();
  workers_.reset();
  EXPECT_EQ(done, kMaxWaiting);
}

TEST_F(BackgroundTest, WorldsAreCompiledByTheWorkers) {
  std::promise<absl::StatusOr<world::WorldPointer>> found;
  FindWorld(engine_, "alps@7", [&](auto world) { found.set_value(std::move(world)); });
  EXPECT_EQ(workers_->compilers.waiting(), 1U);
  release_.set_value();
  const auto world = found.get_future().get();
  ASSERT_TRUE(world.ok()) << world.status();
  EXPECT_EQ((*world)->spec().seed(), 7U);
}

}  // namespace
}  // namespace thalweg::calls
