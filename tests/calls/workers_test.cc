#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_details.h"
#include "server/calls/engine.h"
#include "server/calls/worlds.h"
#include "tests/world/spec_fixtures.h"

namespace thalweg::calls {
namespace {

constexpr std::uint64_t kMaxWaiting = 256;

class WorkersTest : public testing::Test {
 protected:
  WorkersTest() {
    // Both threads work until the test releases them.
    for (std::promise<void>& busy : busy_) {
      EXPECT_TRUE(Run([this, &busy] {
                    busy.set_value();
                    released_.wait();
                  }).ok());
      busy.get_future().wait();
    }
  }

  absl::Status Run(const std::function<void()>& work, std::uint64_t client = 0) {
    return Run(work, client, workers_->compilers);
  }
  static absl::Status Run(const std::function<void()>& work, std::uint64_t client,
                          SharedWorkers& threads) {
    return threads.Run(
        client, "test",
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

TEST_F(WorkersTest, WorkBeyondTheLimitIsRefusedWithADelay) {
  std::atomic<int> done = 0;
  // Nobody has more than one place, so only the queue itself is the bound.
  for (std::uint64_t client = 0; client < kMaxWaiting; ++client) {
    ASSERT_TRUE(Run([&done] { ++done; }, client).ok()) << client;
  }
  const absl::Status refused = Run([&done] { ++done; }, kMaxWaiting);
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(wire::RetryDelayOf(refused).has_value());
  // A world that must be compiled is refused too. An existing world needs no worker.
  absl::Status found;
  FindWorld(engine_, kMaxWaiting, "alps@7", [&](const auto& world) { found = world.status(); });
  EXPECT_EQ(found.code(), absl::StatusCode::kResourceExhausted);
  FindWorld(engine_, kMaxWaiting, "alps", [&](const auto& world) { found = world.status(); });
  EXPECT_TRUE(found.ok());
  // Work of the keeper does not wait behind that of the compilers.
  std::promise<void> kept;
  EXPECT_TRUE(Run([&kept] { kept.set_value(); }, 0, workers_->keeper).ok());
  kept.get_future().wait();
  release_.set_value();
  workers_.reset();
  EXPECT_EQ(done, kMaxWaiting);
}

TEST_F(WorkersTest, OneClientLeavesRoomForOthers) {
  constexpr std::uint64_t kGreedy = 1;
  std::uint64_t seed = 100;
  absl::Status refused;
  const auto ask = [&](std::uint64_t client) {
    FindWorld(engine_, client, absl::StrCat("alps@", ++seed), [&](const auto& world) {
      if (!world.ok()) refused = world.status();
    });
  };
  while (refused.ok()) ask(kGreedy);
  // Work that has begun does not count.
  EXPECT_EQ(workers_->compilers.waiting(), kMaxWaiting / 2);
  EXPECT_THAT(std::string(refused.message()), testing::HasSubstr("the caller's share"));
  for (std::uint64_t client = 2; client < 12; ++client) {
    refused = absl::OkStatus();
    // The greedy one takes whatever place it gets.
    ask(kGreedy);
    refused = absl::OkStatus();
    ask(client);
    EXPECT_TRUE(refused.ok()) << client << ": " << refused;
  }
  release_.set_value();
  workers_.reset();
}

TEST_F(WorkersTest, WorldsAreCompiledByTheWorkers) {
  std::promise<absl::StatusOr<world::WorldPointer>> found;
  FindWorld(engine_, 0, "alps@7", [&](auto world) { found.set_value(std::move(world)); });
  EXPECT_EQ(workers_->compilers.waiting(), 1U);
  release_.set_value();
  const auto world = found.get_future().get();
  ASSERT_TRUE(world.ok()) << world.status();
  EXPECT_EQ((*world)->spec().seed(), 7U);
}

}  // namespace
}  // namespace thalweg::calls
