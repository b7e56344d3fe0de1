// Requests over several devices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "server/field/field.h"
#include "tests/field/collector.h"
#include "tests/field/fake_backend.h"
#include "tests/field/test_world.h"

namespace thalweg::field {
namespace {

using backend::Layer;

class SeveralDevicesTest : public ::testing::Test {
 protected:
  void Start(std::size_t devices) {
    std::vector<std::unique_ptr<backend::Backend>> backends;
    for (std::size_t n = 0; n < devices; ++n) {
      devices_.push_back(std::make_shared<FakeDevice>());
      backends.push_back(MakeFakeBackend(devices_.back()));
    }
    field_ = std::make_unique<Field>(std::move(backends), FieldOptions{});
  }

  TileRequest At(int level, std::int64_t x, std::int64_t y) const {
    return {world_, {0, level, x, y}, {Layer::kHeight}};
  }

  // From now on, every run of this device fails because the device is lost (up to 2,000 runs).
  static void Break(FakeDevice& device) {
    for (int n = 0; n < 2'000; ++n) {
      device.FailOnce([](const FakeRun&) { return true; }, absl::UnavailableError("gone"));
    }
  }

  const std::shared_ptr<const world::World> world_ = TestWorld();
  std::vector<std::shared_ptr<FakeDevice>> devices_;
  Collector collector_;
  std::unique_ptr<Field> field_;  // destroyed first: its callbacks use the collector
};

TEST_F(SeveralDevicesTest, SeveralDevicesGiveTheValuesOfOne) {
  Start(3);
  constexpr int kTiles = 60;
  std::mt19937_64 random(3);
  std::vector<TileRequest> requests;
  for (int n = 0; n < kTiles; ++n) {
    requests.push_back(At(static_cast<int>(random() % 6), static_cast<std::int64_t>(random() % 40),
                          -static_cast<std::int64_t>(random() % 40)));
    field_->Request(requests.back(), collector_.For(n));
  }
  collector_.Await(kTiles);
  for (int n = 0; n < kTiles; ++n) {
    const auto values = collector_.Answer(n);
    ASSERT_TRUE(values.ok()) << values.status();
    EXPECT_EQ(WrongValues(requests[static_cast<std::size_t>(n)], *values), 0U);
  }
  for (const auto& device : devices_) EXPECT_FALSE(device->runs().empty());
  EXPECT_GE(field_->stats().blocks_computed, 60U);
  EXPECT_EQ(field_->device_name(), "fake + fake + fake");
}

TEST_F(SeveralDevicesTest, TilesOfALostDeviceComeFromTheOther) {
  Start(2);
  Break(*devices_[0]);
  constexpr int kTiles = 40;
  for (int n = 0; n < kTiles; ++n) field_->Request(At(5, 7 * n, n), collector_.For(n));
  collector_.Await(kTiles);
  for (int n = 0; n < kTiles; ++n) {
    const auto values = collector_.Answer(n);
    ASSERT_TRUE(values.ok()) << values.status();
    EXPECT_EQ(WrongValues(At(5, 7 * n, n), *values), 0U);
  }
  EXPECT_GT(field_->stats().device_losses, 0U);
  // The lost device gets no more work.
  const std::size_t tried = devices_[0]->runs().size();
  for (int n = 0; n < kTiles; ++n) field_->Request(At(4, 9 * n, n), collector_.For(kTiles + n));
  collector_.Await(2 * kTiles);
  EXPECT_EQ(devices_[0]->runs().size(), tried);
}

TEST_F(SeveralDevicesTest, IfEveryDeviceIsLostTheirErrorIsReturned) {
  Start(2);
  for (const auto& device : devices_) Break(*device);
  field_->Request(At(3, 1, 1), collector_.For(0));
  collector_.Await(1);
  EXPECT_EQ(collector_.StatusOf(0).code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(collector_.StatusOf(0).message()), testing::HasSubstr("gone"));
}

// After any other error, no other device is tried.
TEST_F(SeveralDevicesTest, OtherErrorsAreReturned) {
  Start(2);
  for (const auto& device : devices_) {
    device->FailOnce([](const FakeRun&) { return true; }, absl::InternalError("broken"));
  }
  field_->Request(At(0, 1, 1), collector_.For(0));
  collector_.Await(1);
  EXPECT_EQ(collector_.StatusOf(0).code(), absl::StatusCode::kInternal);
}

TEST_F(SeveralDevicesTest, CancelsARequestOnAnyDevice) {
  Start(2);
  for (const auto& device : devices_) device->Close();
  std::vector<Field::RequestId> ids;
  for (int n = 0; n < 20; ++n) ids.push_back(field_->Request(At(2, 5 * n, n), collector_.For(n)));
  for (const Field::RequestId id : ids) field_->Cancel(id);
  for (const auto& device : devices_) device->Open();
  collector_.Await(20);
  for (int n = 0; n < 20; ++n) {
    EXPECT_EQ(collector_.StatusOf(n).code(), absl::StatusCode::kCancelled);
  }
  EXPECT_EQ(collector_.repeated(), 0);
  field_->Cancel(ids.front());
}

// A request that is raised before its device is lost is urgent at the next one too.
TEST_F(SeveralDevicesTest, RaisesARequestOnAnyDevice) {
  Start(2);
  for (const auto& device : devices_) device->Close();
  constexpr int kTiles = 20;
  std::vector<TileRequest> requests;
  std::vector<Field::RequestId> ids;
  for (int n = 0; n < kTiles; ++n) {
    requests.push_back(At(2, 5 * n, n));
    requests.back().priority = Priority::kBake;
    ids.push_back(field_->Request(requests.back(), collector_.For(n)));
  }
  for (const auto& device : devices_) device->AwaitRunAtGate();
  for (const Field::RequestId id : ids) {
    if (id % 2 == 0) field_->Raise(id, Priority::kInteractive);
  }
  Break(*devices_[0]);
  for (const auto& device : devices_) device->Open();
  collector_.Await(kTiles);
  for (int n = 0; n < kTiles; ++n) {
    const auto values = collector_.Answer(n);
    ASSERT_TRUE(values.ok()) << values.status();
    EXPECT_EQ(WrongValues(requests[static_cast<std::size_t>(n)], *values), 0U);
  }
  EXPECT_EQ(collector_.repeated(), 0);
}

TEST_F(SeveralDevicesTest, StopFailsWaitingRequests) {
  Start(2);
  for (const auto& device : devices_) device->Close();
  for (int n = 0; n < 20; ++n) field_->Request(At(2, 5 * n, n), collector_.For(n));
  for (const auto& device : devices_) device->AwaitRunAtGate();
  std::thread opener([this] {
    for (const auto& device : devices_) device->Open();
  });
  field_->Stop();
  opener.join();
  collector_.Await(20);
  EXPECT_EQ(collector_.repeated(), 0);
  field_->Request(At(2, 0, 0), collector_.For(20));
  EXPECT_EQ(collector_.StatusOf(20).code(), absl::StatusCode::kUnavailable);
}

// Whatever happens to devices and requests, each request is answered once: with a tile or an error.
TEST_F(SeveralDevicesTest, EveryRequestIsAnsweredOnce) {
  Start(3);
  constexpr int kThreads = 4;
  constexpr int kEach = 100;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      std::mt19937_64 random(static_cast<std::uint64_t>(thread));
      for (int n = 0; n < kEach; ++n) {
        if (random() % 10 == 0) {
          devices_[random() % 3]->FailOnce([](const FakeRun&) { return true; },
                                           absl::UnavailableError("gone"));
        }
        if (random() % 20 == 0) devices_[random() % 3]->Lose();
        const auto id = field_->Request(
            At(static_cast<int>(random() % 6), static_cast<std::int64_t>(random() % 20), n),
            collector_.For(thread * kEach + n));
        if (random() % 3 == 0) field_->Raise(id, static_cast<Priority>(random() % 3));
        if (random() % 3 == 0) field_->Cancel(id);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  collector_.Await(kThreads * kEach);
  EXPECT_EQ(collector_.repeated(), 0);
  EXPECT_EQ(collector_.answers(), std::size_t{kThreads * kEach});
  EXPECT_EQ(field_->stats().requests_waiting, 0U);
}

}  // namespace
}  // namespace thalweg::field
