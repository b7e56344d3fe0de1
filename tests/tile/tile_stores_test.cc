// The tile service with stores behind its cache.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/tile/tile_service.h"
#include "tests/cache/fake_store.h"
#include "tests/field/fake_backend.h"
#include "tests/field/test_world.h"

namespace thalweg::tile {
namespace {

using Answer = absl::StatusOr<TileBytes>;

class TileStoresTest : public testing::Test {
 protected:
  TileStoresTest() { Start({.patience = std::chrono::hours(1)}); }
  // Gates left closed by a failed assertion would hold threads for ever.
  ~TileStoresTest() override {
    device_->Open();
    store_->Open();
  }

  void Start(cache::BackgroundStoreOptions options, std::size_t cache_bytes = 64 << 20) {
    service_.reset();
    std::vector<std::unique_ptr<cache::BackgroundStore>> stores;
    stores.push_back(cache::MakeFakeBackground(store_, std::move(options)));
    chain_ = std::make_unique<cache::StoreChain>(std::move(stores));
    cache_ = std::make_unique<cache::TileCache>(cache_bytes);
    service_ = std::make_unique<TileService>(
        std::make_unique<field::Field>(field::MakeFakeBackend(device_), field::FieldOptions{}),
        cache_.get(), 2, chain_.get());
  }

  TileQuery QueryOf(std::int64_t x, field::Priority priority = field::Priority::kInteractive) {
    TileQuery query;
    query.world = world_;
    query.key = {0, 0, x, 0};
    query.precision = v1::PRECISION_EXACT;
    query.priority = priority;
    return query;
  }

  struct Asked {
    TileService::Ticket ticket;
    std::future<Answer> answer;
  };
  Asked Ask(const TileQuery& query) {
    std::promise<Answer> promise;
    std::future<Answer> answer = promise.get_future();
    const TileService::Ticket ticket = service_->Get(
        query, [promise = std::move(promise)](Answer bytes) mutable { promise.set_value(bytes); });
    return {ticket, std::move(answer)};
  }
  TileBytes GetOrDie(std::int64_t x) {
    const Answer bytes = Ask(QueryOf(x)).answer.get();
    EXPECT_TRUE(bytes.ok()) << bytes.status();
    return bytes.ok() ? *bytes : nullptr;
  }
  void AwaitSaved(std::int64_t x) {
    while (!store_->Has(IdOf(QueryOf(x)))) std::this_thread::yield();
  }

  const std::shared_ptr<field::FakeDevice> device_ = std::make_shared<field::FakeDevice>();
  const std::shared_ptr<cache::FakeStoreControl> store_ =
      std::make_shared<cache::FakeStoreControl>();
  const std::shared_ptr<const world::World> world_ = field::TestWorld();
  std::unique_ptr<cache::StoreChain> chain_;
  std::unique_ptr<cache::TileCache> cache_;
  std::unique_ptr<TileService> service_;
};

TEST_F(TileStoresTest, AHitOfAStoreEqualsTheMissBeforeIt) {
  const TileBytes computed = GetOrDie(5);
  AwaitSaved(5);
  Start({.patience = std::chrono::hours(1)});
  EXPECT_EQ(*GetOrDie(5), *computed);
  EXPECT_EQ(device_->TimesComputed({0, 5, 0}), 1);
  EXPECT_EQ(service_->stats().tiles_loaded, 1U);
  EXPECT_EQ(service_->stats().tiles_encoded, 0U);
  // It is in memory now, and is not saved once more where it came from.
  EXPECT_EQ(Ask(QueryOf(5)).ticket, TileService::kAnswered);
  service_.reset();
  chain_.reset();
  EXPECT_EQ(store_->saves(), 1);
}

// Nobody who asks waits in Get, however slow the store is.
TEST_F(TileStoresTest, ManyCallersOneLookup) {
  GetOrDie(5);
  AwaitSaved(5);
  Start({.patience = std::chrono::hours(1)});
  const int loads = store_->loads();
  store_->Close();
  std::vector<Asked> callers;
  for (int k = 0; k < 50; ++k) callers.push_back(Ask(QueryOf(5)));
  EXPECT_EQ(service_->stats().joined, 49U);
  store_->Open();
  for (Asked& caller : callers) EXPECT_TRUE(caller.answer.get().ok());
  EXPECT_EQ(store_->loads(), loads + 1);
  EXPECT_EQ(device_->TimesComputed({0, 5, 0}), 1);
}

TEST_F(TileStoresTest, CancelledLookupsAskForNothingMore) {
  store_->Close();
  Asked dropped = Ask(QueryOf(5));
  Asked first_of_two = Ask(QueryOf(6));
  Asked second_of_two = Ask(QueryOf(6));
  service_->Cancel(dropped.ticket);
  service_->Cancel(first_of_two.ticket);
  EXPECT_EQ(dropped.answer.get().status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(first_of_two.answer.get().status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(service_->stats().flights, 1U);
  store_->Open();
  EXPECT_TRUE(second_of_two.answer.get().ok());
  GetOrDie(7);  // behind the others, in the store and in the field
  EXPECT_EQ(device_->TimesComputed({0, 5, 0}), 0);
  EXPECT_EQ(device_->TimesComputed({0, 6, 0}), 1);
}

TEST_F(TileStoresTest, AskedAgainWhileItsOldLookupRuns) {
  store_->Close();
  Asked dropped = Ask(QueryOf(5));
  service_->Cancel(dropped.ticket);
  Asked again = Ask(QueryOf(5));
  store_->Open();
  EXPECT_TRUE(again.answer.get().ok());
  EXPECT_EQ(device_->TimesComputed({0, 5, 0}), 1);
}

TEST_F(TileStoresTest, WhoIsInMoreOfAHurryDuringTheLookupIsHeard) {
  device_->Close();
  Asked running = Ask(QueryOf(0));
  device_->AwaitRunAtGate();
  store_->Close();
  // Enough of them to fill batches, in the order of their priorities.
  std::vector<Asked> others;
  for (int k = 1; k <= 8; ++k) others.push_back(Ask(QueryOf(k, field::Priority::kPrefetch)));
  Asked patient = Ask(QueryOf(100, field::Priority::kBake));
  Asked hurried = Ask(QueryOf(100));
  store_->Open();
  // All but the running one, once their misses have reached the field.
  while (service_->field_stats().blocks_queued < 9) std::this_thread::yield();
  device_->Open();
  EXPECT_EQ(*hurried.answer.get(), *patient.answer.get());
  for (Asked& other : others) EXPECT_TRUE(other.answer.get().ok());
  const auto runs = device_->runs();
  ASSERT_GE(runs.size(), 2U);
  EXPECT_EQ(runs[1].blocks[0], (world::BlockKey{0, 100, 0}));
}

TEST_F(TileStoresTest, AStoreThatFailsCostsAComputationAndNoMore) {
  store_->Fail(true);
  const TileBytes first = GetOrDie(5);
  Start({.patience = std::chrono::hours(1)});
  EXPECT_EQ(*GetOrDie(5), *first);
  EXPECT_EQ(device_->TimesComputed({0, 5, 0}), 2);
}

// The gate stays closed until all are answered.
TEST_F(TileStoresTest, AStoreThatHangsCostsAComputationAndNoMore) {
  Start({.patience = std::chrono::milliseconds(5)});
  store_->Close();
  std::vector<Asked> callers;
  for (int k = 0; k < 20; ++k) callers.push_back(Ask(QueryOf(k)));
  for (Asked& caller : callers) EXPECT_TRUE(caller.answer.get().ok());
  EXPECT_EQ(service_->stats().tiles_encoded, 20U);
  EXPECT_EQ(service_->stats().tiles_loaded, 0U);
  store_->Open();
}

TEST_F(TileStoresTest, StopFailsWhatIsLookedUp) {
  store_->Close();
  Asked waiting = Ask(QueryOf(5));
  service_->Stop();
  store_->Open();
  EXPECT_EQ(waiting.answer.get().status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(TileStoresTest, EveryCallIsAnsweredOnceAndRight) {
  constexpr int kKeys = 6;
  std::vector<TileBytes> expected;
  for (int k = 0; k < kKeys; ++k) expected.push_back(GetOrDie(k));
  // Memory for a tile or two, so that flights begin, end and are joined all the time.
  Start({.patience = std::chrono::milliseconds(1)}, 5 * expected[0]->size() / 2);
  constexpr int kThreads = 4;
  constexpr int kCalls = 300;
  std::atomic<int> answers = 0;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < kThreads; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937_64 random(seed);
      for (int call = 0; call < kCalls; ++call) {
        const auto k = static_cast<int>(random() % kKeys);
        if (seed == 0 && call % 20 == 0) store_->Fail(random() % 3 == 0);
        if (seed == 1 && call % 20 == 0) store_->Close();
        if (seed == 1 && call % 20 == 5) store_->Open();
        std::promise<void> answered;
        std::future<void> answer = answered.get_future();
        const auto ticket = service_->Get(
            QueryOf(k, static_cast<field::Priority>(random() % 3)),
            [&, k, answered = std::move(answered)](const Answer& bytes) mutable {
              ++answers;
              const bool right = bytes.ok() ? **bytes == *expected[static_cast<std::size_t>(k)]
                                            : absl::IsCancelled(bytes.status());
              if (!right) ++wrong;
              answered.set_value();
            });
        if (random() % 3 == 0) service_->Cancel(ticket);
        if (random() % 3 == 0) answer.wait();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  store_->Open();
  while (service_->stats().flights != 0) std::this_thread::yield();
  EXPECT_GT(service_->stats().tiles_loaded, 0U);
  service_.reset();  // a flight has left before its callers are answered
  EXPECT_EQ(answers, kThreads * kCalls);
  EXPECT_EQ(wrong, 0) << "seeds 0 to " << kThreads - 1;
}

}  // namespace
}  // namespace thalweg::tile
