#include "server/cache/background_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/cache/fake_store.h"
#include "tests/cache/sample_tiles.h"
#include "tests/starved.h"

namespace thalweg::cache {
namespace {

using std::chrono::milliseconds;

class BackgroundStoreTest : public testing::Test {
 protected:
  // If a failed assertion leaves the gate closed, the store's threads would wait for ever.
  ~BackgroundStoreTest() override { control_->Open(); }

  void Start(BackgroundStoreOptions options) {
    store_ = MakeFakeBackground(control_, std::move(options));
  }

  std::future<TileBytes> Ask(std::int64_t n) {
    std::promise<TileBytes> promise;
    std::future<TileBytes> answer = promise.get_future();
    store_->Load(SampleId(n), [promise = std::move(promise)](FinishedTile tile) mutable {
      promise.set_value(std::move(tile.bytes));
    });
    return answer;
  }

  void AwaitSaves(std::uint64_t count) {
    while (store_->stats().saves + store_->stats().save_errors < count) std::this_thread::yield();
  }

  const std::shared_ptr<FakeStoreControl> control_ = std::make_shared<FakeStoreControl>();
  std::unique_ptr<BackgroundStore> store_;
};

const BackgroundStoreOptions kPatient{.patience = std::chrono::hours(1)};

TEST_F(BackgroundStoreTest, SavesAndLoads) {
  Start(kPatient);
  EXPECT_EQ(Ask(1).get(), nullptr);
  store_->Save(SampleId(1), SampleTile(1));
  AwaitSaves(1);
  EXPECT_EQ(*Ask(1).get(), *SampleTile(1));
  const StoreStats stats = store_->stats();
  EXPECT_EQ(stats.hits, 1U);
  EXPECT_EQ(stats.misses, 1U);
  EXPECT_EQ(stats.saves, 1U);
  EXPECT_EQ(stats.loaded_bytes, SampleTile(1)->size());
  EXPECT_EQ(stats.saved_bytes, SampleTile(1)->size());
}

TEST_F(BackgroundStoreTest, CallersDoNotWaitForASave) {
  BackgroundStoreOptions options = kPatient;
  options.max_waiting_save_bytes = 3 * SampleTile(0)->size();
  Start(options);
  control_->Close();
  for (int n = 0; n < 10; ++n) store_->Save(SampleId(0), SampleTile(0));
  EXPECT_EQ(store_->stats().dropped_saves, 7U);
  control_->Open();
  AwaitSaves(3);
  EXPECT_EQ(control_->saves(), 3);
  // Finished saves leave room for new ones.
  store_->Save(SampleId(0), SampleTile(0));
  ASSERT_EQ(store_->stats().dropped_saves, 7U);
  AwaitSaves(4);
}

TEST_F(BackgroundStoreTest, LoadsBeyondTheQueueAreAnsweredAtOnce) {
  BackgroundStoreOptions options = kPatient;
  options.load_threads = 1;
  options.max_waiting_loads = 2;
  Start(options);
  control_->Close();
  control_->Put(SampleId(1), SampleTile(1));
  std::vector<std::future<TileBytes>> answers;
  answers.push_back(Ask(1));
  control_->AwaitAtGate(1);
  for (int n = 0; n < 4; ++n) answers.push_back(Ask(1));
  EXPECT_EQ(answers[3].get(), nullptr);
  EXPECT_EQ(answers[4].get(), nullptr);
  control_->Open();
  for (int n = 0; n < 3; ++n) EXPECT_NE(answers[static_cast<std::size_t>(n)].get(), nullptr);
  EXPECT_EQ(store_->stats().skipped, 2U);
  EXPECT_EQ(store_->stats().hits, 3U);
}

// The gate stays closed until all loads are answered, so only the watch can have answered them.
TEST_F(BackgroundStoreTest, AHungStoreDelaysNobody) {
  std::mutex mutex;
  std::vector<absl::Status> told;
  BackgroundStoreOptions options{.load_threads = 2, .patience = milliseconds(5)};
  options.on_health = [&](const std::string&, const absl::Status& health) {
    const std::lock_guard lock(mutex);
    told.push_back(health);
  };
  Start(options);
  control_->Put(SampleId(1), SampleTile(1));
  control_->Close();
  std::vector<std::future<TileBytes>> answers;
  for (int n = 0; n < 10; ++n) answers.push_back(Ask(1));
  for (auto& answer : answers) EXPECT_EQ(answer.get(), nullptr);
  EXPECT_EQ(store_->health().code(), absl::StatusCode::kDeadlineExceeded);
  // While the store hangs, no caller waits for it.
  const int loads = control_->loads();
  EXPECT_EQ(Ask(1).get(), nullptr);
  EXPECT_EQ(control_->loads(), loads);
  control_->Open();
  while (!store_->health().ok()) std::this_thread::yield();
  TileBytes bytes;
  while (bytes == nullptr) bytes = Ask(1).get();
  EXPECT_EQ(*bytes, *SampleTile(1));
  store_.reset();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_FALSE(told[0].ok());
  EXPECT_TRUE(told[1].ok());
}

TEST_F(BackgroundStoreTest, EveryLoadIsCountedOnce) {
  BackgroundStoreOptions options{.load_threads = 2, .patience = milliseconds(1)};
  options.max_waiting_loads = 8;
  Start(options);
  control_->Put(SampleId(1), SampleTile(1));
  constexpr int kThreads = 3;
  constexpr int kLoads = 400;
  std::atomic<int> hits = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int n = 0; n < kLoads; ++n) {
        if (t == 0 && n % 50 == 0) control_->Close();
        if (t == 0 && n % 50 == 25) control_->Open();
        if (t == 1 && n % 100 == 0) control_->Fail(n % 200 == 0);
        if (Ask(n % 2).get() != nullptr) ++hits;
        store_->Save(SampleId(2), SampleTile(2));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  control_->Open();
  store_->Stop();
  const StoreStats stats = store_->stats();
  EXPECT_EQ(stats.hits + stats.misses + stats.bad_records + stats.errors + stats.skipped,
            std::uint64_t{kThreads * kLoads});
  EXPECT_EQ(stats.saves + stats.save_errors + stats.dropped_saves,
            std::uint64_t{kThreads * kLoads});
  EXPECT_EQ(stats.hits, static_cast<std::uint64_t>(hits.load()));
  EXPECT_GT(stats.errors, 0U);
}

TEST_F(BackgroundStoreTest, StopFinishesSavesAndAnswersLoads) {
  BackgroundStoreOptions options = kPatient;
  options.load_threads = 1;
  Start(options);
  control_->Close();
  // Tile 7 is none of those that are saved meanwhile.
  std::future<TileBytes> running = Ask(7);
  control_->AwaitAtGate(1);
  std::future<TileBytes> waiting = Ask(7);
  for (int n = 0; n < 3; ++n) store_->Save(SampleId(n), SampleTile(n));
  std::thread stopper([this] { store_->Stop(); });
  EXPECT_EQ(waiting.get(), nullptr);
  EXPECT_EQ(Ask(7).get(), nullptr);
  control_->Open();
  stopper.join();
  EXPECT_EQ(running.get(), nullptr);
  EXPECT_EQ(store_->stats().saves, 3U);
  store_->Save(SampleId(4), SampleTile(4));
  EXPECT_EQ(store_->stats().dropped_saves, 1U);
}

TEST_F(BackgroundStoreTest, ReportsChangesOfItsHealth) {
  std::vector<std::string> told;
  BackgroundStoreOptions options = kPatient;
  options.on_health = [&](const std::string& name, const absl::Status& health) {
    told.push_back(name + (health.ok() ? " works" : " fails"));
  };
  Start(options);
  for (const bool failing : {false, true, true, false, false}) {
    control_->Fail(failing);
    Ask(1).get();
    Ask(1).get();
  }
  store_.reset();
  EXPECT_THAT(told, testing::ElementsAre("fake store fails", "fake store works"));
}

// A tile whose signature is right, but which is another tile.
TEST_F(BackgroundStoreTest, ATileThatFailsTheCheckIsABadRecord) {
  BackgroundStoreOptions options = kPatient;
  options.check = [](const TileId& id, std::string_view bytes) -> absl::StatusOr<lod::TileFacts> {
    if (bytes != *SampleTile(id.key.x)) return absl::DataLossError("another one");
    return lod::TileFacts{.geometric_error = 7, .min_height = -1, .max_height = 2};
  };
  Start(options);
  control_->Put(SampleId(1), SampleTile(1));
  control_->Put(SampleId(2), SampleTile(1));
  EXPECT_EQ(*Ask(1).get(), *SampleTile(1));
  EXPECT_EQ(Ask(2).get(), nullptr);
  EXPECT_EQ(store_->stats().hits, 1U);
  EXPECT_EQ(store_->stats().bad_records, 1U);
}

// A store whose loads and saves all throw.
class ThrowingStore final : public TileStore {
 public:
  const std::string& name() const override { return name_; }
  LoadResult Load(const TileId& id) override {
    if (id.key.x % 2 == 0) throw 7;
    throw std::runtime_error("load");
  }
  SaveOutcome Save(const TileId&, const TileBytes&) override { throw std::bad_alloc(); }
  std::size_t bytes() const override { return 0; }
  absl::Status health() const override { return absl::OkStatus(); }

 private:
  const std::string name_ = "throwing store";
};

TEST_F(BackgroundStoreTest, AStoreThatThrowsHasFailedAndIsRetried) {
  store_ = std::make_unique<BackgroundStore>(std::make_unique<ThrowingStore>(), kPatient);
  for (int n = 0; n < 10; ++n) {
    EXPECT_EQ(Ask(n).get(), nullptr);
    store_->Save(SampleId(n), SampleTile(n));
  }
  AwaitSaves(10);
  EXPECT_EQ(store_->stats().errors, 10U);
  EXPECT_EQ(store_->stats().save_errors, 10U);
}

TEST_F(BackgroundStoreTest, ThrowsIfThreadsRunOut) {
  if (!kThreadsCanRunOut) GTEST_SKIP();
  EXPECT_TRUE(ThrowsForWantOfThreads([] {
    MakeFakeBackground(std::make_shared<FakeStoreControl>(), {.load_threads = kTooManyThreads});
  }));
}

}  // namespace
}  // namespace thalweg::cache
