// Which payer a generated tile is charged to.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/cache/fake_store.h"
#include "tests/tile/tile_service_fixture.h"

namespace thalweg::tile {
namespace {

constexpr std::int64_t kCellsOfATile = std::int64_t{wire::kTileCells} * wire::kTileCells;

// A budget that is full or empty.
class Budget final : public Payer {
 public:
  explicit Budget(std::string name, bool empty = false) : name_(std::move(name)), empty_(empty) {}

  absl::Status MayGenerate() override {
    return empty_ ? absl::ResourceExhaustedError(name_) : absl::OkStatus();
  }
  void Charge(std::int64_t cells) override { charged_ += cells; }

  std::int64_t charged() const { return charged_; }

 private:
  const std::string name_;
  const bool empty_;
  std::atomic<std::int64_t> charged_ = 0;
};

class TilePaymentTest : public TileServiceFixture {
 protected:
  TilePaymentTest() { Start(); }
  ~TilePaymentTest() override {
    store_->Open();
    Finish();
  }

  // Starts a service with an empty cache in front of the store.
  void Start() {
    service_.reset();
    std::vector<std::unique_ptr<cache::BackgroundStore>> stores;
    stores.push_back(cache::MakeFakeBackground(store_));
    chain_ = std::make_unique<cache::StoreChain>(std::move(stores));
    cache_ = std::make_unique<cache::TileCache>(std::size_t{64} << 20);
    service_ = std::make_unique<TileService>(TileService::Parts{
        .field = MakeField(), .cache = cache_.get(), .stores = chain_.get(), .encode_threads = 2});
  }
  TileQuery PaidBy(std::shared_ptr<Budget> payer) const {
    TileQuery query = QueryOf({0, 0, 5, 0});
    query.payer = std::move(payer);
    return query;
  }
  int TimesComputed() const { return device_->TimesComputed({0, 0, 5, 0}); }

  const std::shared_ptr<cache::FakeStoreControl> store_ =
      std::make_shared<cache::FakeStoreControl>();
  const std::shared_ptr<Budget> full_ = std::make_shared<Budget>("full");
  const std::shared_ptr<Budget> empty_ = std::make_shared<Budget>("empty", true);
  std::unique_ptr<cache::StoreChain> chain_;
  std::unique_ptr<cache::TileCache> cache_;
};

TEST_F(TilePaymentTest, ATileIsPaidForOnceAndAHitIsFree) {
  GetOrDie(PaidBy(full_));
  EXPECT_EQ(full_->charged(), kCellsOfATile);
  GetOrDie(PaidBy(full_));
  EXPECT_EQ(full_->charged(), kCellsOfATile);
}

// A cold tile of level 4 makes the device compute its four ancestors too.
TEST_F(TilePaymentTest, AncestorsThatMustBeComputedAreCharged) {
  const auto world = field::CostlyWorld();
  const auto ask = [&](const wire::TileKey& key) {
    TileQuery query = QueryOf(key);
    query.world = world;
    query.payer = full_;
    const std::int64_t before = full_->charged();
    GetOrDie(query);
    return full_->charged() - before;
  };
  const std::vector<std::int64_t>& costs = world->level_costs();
  EXPECT_GT(costs[4], kCellsOfATile);
  EXPECT_EQ(ask({0, 4, 16, 16}), costs[0] + costs[1] + costs[2] + costs[3] + costs[4]);
  EXPECT_EQ(ask({0, 4, 17, 16}), costs[4]);
  // Its block is kept, so only the tile must be made.
  EXPECT_EQ(ask({0, 3, 8, 8}), kCellsOfATile);
  EXPECT_EQ(ask({0, 4, 16, 16}), 0);
}

TEST_F(TilePaymentTest, CallersWithoutBudgetAreRefusedGeneration) {
  const absl::Status refused = Ask(PaidBy(empty_)).answer.get().status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(refused.message(), "empty");
  EXPECT_EQ(TimesComputed(), 0);
  EXPECT_EQ(service_->stats().flights, 0U);
  // The refused flight has ended: the next caller begins a new one.
  GetOrDie(PaidBy(full_));
  EXPECT_EQ(TimesComputed(), 1);
}

// So a caller that repeats its request until the queue has room pays only once.
TEST_F(TilePaymentTest, RequestsRefusedByAFullQueueAreFree) {
  const field::FieldOptions options{.max_requests = 0};
  service_ = std::make_unique<TileService>(TileService::Parts{
      .field = std::make_unique<field::Field>(field::MakeFakeBackend(device_), options),
      .cache = cache_.get(),
      .stores = chain_.get()});
  EXPECT_EQ(Ask(PaidBy(full_)).answer.get().status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(full_->charged(), 0);
}

TEST_F(TilePaymentTest, TilesOfAStoreAreFree) {
  const TileBytes computed = GetOrDie(PaidBy(nullptr));
  while (!store_->Has(IdOf(PaidBy(nullptr)))) std::this_thread::yield();
  Start();
  EXPECT_EQ(*GetOrDie(PaidBy(empty_)), *computed);
  EXPECT_EQ(TimesComputed(), 1);
}

// During the store's lookup, callers wait for the tile. The first of them has no budget.
TEST_F(TilePaymentTest, TheFirstCallerWithBudgetPaysForAll) {
  store_->Close();
  Asked poor = Ask(PaidBy(empty_));
  Asked rich = Ask(PaidBy(full_));
  const auto later = std::make_shared<Budget>("later");
  Asked lucky = Ask(PaidBy(later));
  store_->Open();
  for (Asked* asked : {&poor, &rich, &lucky}) EXPECT_TRUE(asked->answer.get().ok());
  EXPECT_EQ(full_->charged(), kCellsOfATile);
  EXPECT_EQ(later->charged(), 0);
}

TEST_F(TilePaymentTest, EachCallerThatCannotPayGetsItsOwnError) {
  store_->Close();
  const auto other = std::make_shared<Budget>("other", true);
  Asked first = Ask(PaidBy(empty_));
  Asked second = Ask(PaidBy(other));
  store_->Open();
  EXPECT_EQ(first.answer.get().status().message(), "empty");
  EXPECT_EQ(second.answer.get().status().message(), "other");
  EXPECT_EQ(TimesComputed(), 0);
}

// A more urgent caller leads to a second request to the field, but no caller pays again.
TEST_F(TilePaymentTest, ARaisedPriorityCostsNothingMore) {
  Start();
  device_->Close();
  TileQuery patient = PaidBy(full_);
  patient.priority = field::Priority::kBake;
  Asked waiting = Ask(patient);
  while (full_->charged() == 0) std::this_thread::yield();
  const auto hurried = std::make_shared<Budget>("hurried");
  Asked urgent = Ask(PaidBy(hurried));
  device_->Open();
  EXPECT_TRUE(waiting.answer.get().ok());
  EXPECT_TRUE(urgent.answer.get().ok());
  EXPECT_EQ(full_->charged(), kCellsOfATile);
  EXPECT_EQ(hurried->charged(), 0);
}

}  // namespace
}  // namespace thalweg::tile
