// The tile service with stores behind its cache.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/tile/check_tile.h"
#include "tests/cache/fake_store.h"
#include "tests/tile/tile_service_fixture.h"

namespace thalweg::tile {
namespace {

class TileStoresTest : public TileServiceFixture {
 protected:
  TileStoresTest() { Start({.patience = std::chrono::hours(1)}); }
  // If a failed assertion leaves a gate closed, threads would wait for ever.
  ~TileStoresTest() override {
    store_->Open();
    Finish();
  }

  void Start(cache::BackgroundStoreOptions options, std::size_t cache_bytes = 64 << 20,
             const field::FieldOptions& field_options = {}) {
    service_.reset();
    options.check = CheckTile;
    std::vector<std::unique_ptr<cache::BackgroundStore>> stores;
    stores.push_back(cache::MakeFakeBackground(store_, std::move(options)));
    chain_ = std::make_unique<cache::StoreChain>(std::move(stores));
    cache_ = std::make_unique<cache::TileCache>(cache_bytes);
    service_ = std::make_unique<TileService>(TileService::Parts{
        .field = std::make_unique<field::Field>(field::MakeFakeBackend(device_), field_options),
        .cache = cache_.get(),
        .stores = chain_.get(),
        .encode_threads = 2,
        .misses = StoreMisses([this] { return now_.load(); })});
  }

  // Fills the field's queue, with a run at the device's closed gate. The next request is refused.
  std::vector<Asked> FillField() {
    // One client may have half of the queue.
    constexpr int kRequests = 4;
    Start({.patience = std::chrono::hours(1)}, 64 << 20, {.max_requests = 2 * kRequests});
    device_->Close();
    std::vector<Asked> running;
    for (int x = 0; x < kRequests; ++x) running.push_back(Ask(QueryOf(x)));
    device_->AwaitRunAtGate();
    while (service_->field_stats().requests_waiting < kRequests) std::this_thread::yield();
    return running;
  }
  absl::Status RefusalOf(std::int64_t x) { return Ask(QueryOf(x)).answer.get().status(); }

  TileQuery QueryOf(std::int64_t x, field::Priority priority = field::Priority::kInteractive) {
    TileQuery query = TileServiceFixture::QueryOf({0, 0, x, 0});
    query.priority = priority;
    return query;
  }
  TileBytes GetOrDie(std::int64_t x) { return TileServiceFixture::GetOrDie(QueryOf(x)); }
  void AwaitSaved(std::int64_t x) {
    while (!store_->Has(IdOf(QueryOf(x)))) std::this_thread::yield();
  }

  const std::shared_ptr<cache::FakeStoreControl> store_ =
      std::make_shared<cache::FakeStoreControl>();
  std::unique_ptr<cache::StoreChain> chain_;
  std::unique_ptr<cache::TileCache> cache_;
  std::atomic<StoreMisses::Clock::time_point> now_{};
};

TEST_F(TileStoresTest, AHitOfAStoreEqualsTheEarlierMiss) {
  const TileBytes computed = GetOrDie(5);
  AwaitSaved(5);
  Start({.patience = std::chrono::hours(1)});
  EXPECT_EQ(*GetOrDie(5), *computed);
  EXPECT_EQ(device_->TimesComputed({0, 0, 5, 0}), 1);
  EXPECT_EQ(service_->stats().tiles_loaded, 1U);
  EXPECT_EQ(service_->stats().tiles_encoded, 0U);
  // The tile is now in memory. It is not saved again in the store that it came from.
  EXPECT_EQ(Ask(QueryOf(5)).answer.wait_for(std::chrono::seconds(0)), std::future_status::ready);
  service_.reset();
  chain_.reset();
  EXPECT_EQ(store_->saves(), 1);
}

// No caller waits in Get, however slow the store is.
TEST_F(TileStoresTest, ManyCallersShareOneLookup) {
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
  EXPECT_EQ(device_->TimesComputed({0, 0, 5, 0}), 1);
}

TEST_F(TileStoresTest, CancelledLookupsComputeNothing) {
  store_->Close();
  Asked dropped = Ask(QueryOf(5));
  Asked first_of_two = Ask(QueryOf(6));
  Asked second_of_two = Ask(QueryOf(6));
  service_->Cancel(dropped.waiter);
  service_->Cancel(first_of_two.waiter);
  EXPECT_EQ(dropped.answer.get().status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(first_of_two.answer.get().status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(service_->stats().flights, 1U);
  store_->Open();
  EXPECT_TRUE(second_of_two.answer.get().ok());
  GetOrDie(7);  // comes after the others, both in the store and in the field
  EXPECT_EQ(device_->TimesComputed({0, 0, 5, 0}), 0);
  EXPECT_EQ(device_->TimesComputed({0, 0, 6, 0}), 1);
}

TEST_F(TileStoresTest, ATileMayBeRequestedAgainDuringItsOldLookup) {
  store_->Close();
  Asked dropped = Ask(QueryOf(5));
  service_->Cancel(dropped.waiter);
  Asked again = Ask(QueryOf(5));
  store_->Open();
  EXPECT_TRUE(again.answer.get().ok());
  EXPECT_EQ(device_->TimesComputed({0, 0, 5, 0}), 1);
}

TEST_F(TileStoresTest, AnUrgentCallerDuringTheLookupRaisesTheTile) {
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
  // Waits until the misses of all tiles but the running one have reached the field.
  while (service_->field_stats().blocks_queued < 9) std::this_thread::yield();
  device_->Open();
  EXPECT_EQ(hurried.answer.get()->bytes, patient.answer.get()->bytes);
  for (Asked& other : others) EXPECT_TRUE(other.answer.get().ok());
  const auto runs = device_->runs();
  ASSERT_GE(runs.size(), 2U);
  EXPECT_EQ(runs[1].blocks[0], (world::BlockKey{0, 0, 100, 0}));
}

// A refused caller asks again until there is room. Disks and other machines are asked only once.
TEST_F(TileStoresTest, ATileThatIsRefusedIsLookedUpOnce) {
  std::vector<Asked> running = FillField();
  const int before = store_->loads();
  for (int k = 0; k < 20; ++k) {
    EXPECT_EQ(RefusalOf(100).code(), absl::StatusCode::kResourceExhausted);
  }
  EXPECT_EQ(store_->loads() - before, 1);
  EXPECT_EQ(RefusalOf(101).code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(store_->loads() - before, 2);
  // After a time they are asked again: another server may have saved the tile meanwhile.
  now_ = now_.load() + StoreMisses::kLifetime;
  store_->Put(IdOf(QueryOf(100)), std::make_shared<const std::string>("no tile"));
  EXPECT_EQ(RefusalOf(100).code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(store_->loads() - before, 3);
  device_->Open();
  for (Asked& one : running) EXPECT_TRUE(one.answer.get().ok());
  GetOrDie(100);
  EXPECT_EQ(store_->loads() - before, 3);
}

// A request for several tiles ends when one of them is refused. Then nobody waits for the others.
TEST_F(TileStoresTest, ATileThatNobodyWaitsForIsKept) {
  GetOrDie(5);
  AwaitSaved(5);
  Start({.patience = std::chrono::hours(1)});
  const int before = store_->loads();
  store_->Close();
  Asked dropped = Ask(QueryOf(5));
  store_->AwaitAtGate(1);
  service_->Cancel(dropped.waiter);
  store_->Open();
  while (service_->stats().flights > 0 || cache_->stats().entries == 0) std::this_thread::yield();
  EXPECT_EQ(Ask(QueryOf(5)).answer.wait_for(std::chrono::seconds(0)), std::future_status::ready);
  EXPECT_EQ(store_->loads() - before, 1);
}

// If a record with a right signature is another tile, or is not a tile, the tile is made again.
TEST_F(TileStoresTest, AWrongTileOfAStoreIsComputedAgain) {
  const TileBytes right = GetOrDie(5);
  AwaitSaved(5);
  v1::Tile bare;
  ASSERT_TRUE(bare.ParseFromString(*right));
  bare.clear_layers();
  for (const std::string& wrong :
       {std::string(), bare.SerializeAsString(), *GetOrDie(6), std::string("no tile")}) {
    Start({.patience = std::chrono::hours(1)});
    store_->Put(IdOf(QueryOf(5)), std::make_shared<const std::string>(wrong));
    EXPECT_EQ(*GetOrDie(5), *right);
    EXPECT_EQ(service_->stats().tiles_loaded, 0U);
    EXPECT_EQ(chain_->stores()[0]->stats().bad_records, 1U);
  }
}

TEST_F(TileStoresTest, AFailingStoreCostsOnlyAComputation) {
  store_->Fail(true);
  const TileBytes first = GetOrDie(5);
  Start({.patience = std::chrono::hours(1)});
  EXPECT_EQ(*GetOrDie(5), *first);
  EXPECT_EQ(device_->TimesComputed({0, 0, 5, 0}), 2);
}

// The gate stays closed until all are answered.
TEST_F(TileStoresTest, AHungStoreCostsOnlyAComputation) {
  Start({.patience = std::chrono::milliseconds(5)});
  store_->Close();
  std::vector<Asked> callers;
  for (int k = 0; k < 20; ++k) callers.push_back(Ask(QueryOf(k)));
  for (Asked& caller : callers) EXPECT_TRUE(caller.answer.get().ok());
  EXPECT_EQ(service_->stats().tiles_encoded, 20U);
  EXPECT_EQ(service_->stats().tiles_loaded, 0U);
  store_->Open();
}

TEST_F(TileStoresTest, StopFailsLookups) {
  store_->Close();
  Asked waiting = Ask(QueryOf(5));
  service_->Stop();
  store_->Open();
  EXPECT_EQ(waiting.answer.get().status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(TileStoresTest, EveryCallIsAnsweredOnceAndRight) {
  constexpr int kKeys = 6;
  std::vector<TileQuery> queries;
  std::vector<std::string> expected;
  for (int k = 0; k < kKeys; ++k) {
    queries.push_back(QueryOf(k));
    expected.push_back(*GetOrDie(k));
  }
  // The cache has room for two tiles, so that flights begin, end and are joined all the time.
  Start({.patience = std::chrono::milliseconds(1)}, 5 * expected[0].size() / 2);
  const TileServiceStats stats = CallAtRandom(
      queries, expected, [this](std::uint64_t seed, int call, std::mt19937_64& random) {
        if (seed == 0 && call % 20 == 0) store_->Fail(random() % 3 == 0);
        if (seed == 1 && call % 20 == 0) store_->Close();
        if (seed == 1 && call % 20 == 5) store_->Open();
      });
  EXPECT_GT(stats.tiles_loaded, 0U);
}

}  // namespace
}  // namespace thalweg::tile
