#include "server/tile/tile_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "server/tile/tile_encoder.h"
#include "tests/field/fake_backend.h"
#include "tests/field/test_world.h"

namespace thalweg::tile {
namespace {

using Answer = absl::StatusOr<TileBytes>;

class TileServiceTest : public testing::Test {
 protected:
  TileServiceTest() : TileServiceTest(std::size_t{64} << 20) {}
  explicit TileServiceTest(std::size_t cache_bytes)
      : device_(std::make_shared<field::FakeDevice>()),
        world_(field::TestWorld()),
        cache_(cache_bytes),
        service_(std::make_unique<TileService>(
            std::make_unique<field::Field>(field::MakeFakeBackend(device_), field::FieldOptions{}),
            &cache_, 2)) {}
  // A gate left closed by a failed assertion would hold the field's thread for ever.
  ~TileServiceTest() override { device_->Open(); }

  TileQuery QueryOf(const wire::TileKey& key) const {
    TileQuery query;
    query.world = world_;
    query.key = key;
    query.precision = v1::PRECISION_EXACT;
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
  TileBytes GetOrDie(const TileQuery& query) {
    const Answer bytes = Ask(query).answer.get();
    EXPECT_TRUE(bytes.ok()) << bytes.status();
    return bytes.ok() ? *bytes : nullptr;
  }

  const std::shared_ptr<field::FakeDevice> device_;
  const std::shared_ptr<const world::World> world_;
  cache::TileCache cache_;
  std::unique_ptr<TileService> service_;
};

// What the fake backend's terrain gives for a query.
std::string ExpectedBytes(const TileQuery& query) {
  field::TileValues values;
  for (const v1::Layer layer : query.layers.List()) {
    auto& plane = values.planes.emplace_back();
    for (std::int64_t y = 0; y < wire::kTileVertices; ++y) {
      for (std::int64_t x = 0; x < wire::kTileVertices; ++x) {
        plane.push_back(field::FakeValue(
            query.world->level(query.key.level).seed_low, query.key.level, BackendLayer(layer),
            query.key.x * wire::kTileCells + x, query.key.y * wire::kTileCells + y));
      }
    }
  }
  return EncodeTile(query, values);
}

TEST_F(TileServiceTest, CacheHitEqualsMiss) {
  const TileQuery query = QueryOf({0, 2, -1, 3});
  const TileBytes miss = GetOrDie(query);
  const TileBytes hit = GetOrDie(query);
  EXPECT_EQ(*miss, ExpectedBytes(query));
  EXPECT_EQ(hit.get(), miss.get());
  EXPECT_EQ(service_->stats().tiles_encoded, 1U);
  EXPECT_EQ(cache_.stats().hits, 1U);
}

// The twin: the comparison with the expected bytes sees a single other vertex.
TEST_F(TileServiceTest, OtherTilesHaveOtherBytes) {
  EXPECT_NE(*GetOrDie(QueryOf({0, 2, -1, 3})), ExpectedBytes(QueryOf({0, 2, -1, 4})));
}

TEST_F(TileServiceTest, AnswersHitsAtOnce) {
  const TileQuery query = QueryOf({0, 0, 0, 0});
  GetOrDie(query);
  EXPECT_EQ(Ask(query).ticket, TileService::kAnswered);
}

TEST_F(TileServiceTest, ManyCallersOneComputation) {
  device_->Close();
  const TileQuery query = QueryOf({0, 0, 5, 5});
  std::vector<Asked> callers;
  for (int k = 0; k < 50; ++k) callers.push_back(Ask(query));
  EXPECT_EQ(service_->stats().joined, 49U);
  EXPECT_EQ(service_->stats().flights, 1U);
  device_->Open();
  const TileBytes first = *callers[0].answer.get();
  for (std::size_t k = 1; k < callers.size(); ++k) EXPECT_EQ(*callers[k].answer.get(), first);
  EXPECT_EQ(service_->stats().tiles_encoded, 1U);
  EXPECT_EQ(device_->TimesComputed({0, 5, 5}), 1);
  EXPECT_EQ(device_->reads(), 1);
  EXPECT_EQ(service_->stats().flights, 0U);
}

// The twin: callers of other forms of the tile are counted apart.
TEST_F(TileServiceTest, OtherFormsAreEncodedApart) {
  TileQuery query = QueryOf({0, 0, 5, 5});
  GetOrDie(query);
  query.precision = v1::PRECISION_LATTICE;
  GetOrDie(query);
  EXPECT_EQ(service_->stats().tiles_encoded, 2U);
}

TEST_F(TileServiceTest, CancelledWorkIsDropped) {
  device_->Close();
  Asked running = Ask(QueryOf({0, 0, 0, 0}));
  device_->AwaitRunAtGate();
  Asked dropped = Ask(QueryOf({0, 0, 9, 9}));
  Asked first_of_two = Ask(QueryOf({0, 0, 7, 7}));
  Asked second_of_two = Ask(QueryOf({0, 0, 7, 7}));
  service_->Cancel(dropped.ticket);
  service_->Cancel(first_of_two.ticket);
  EXPECT_EQ(dropped.answer.get().status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(first_of_two.answer.get().status().code(), absl::StatusCode::kCancelled);
  device_->Open();
  EXPECT_TRUE(running.answer.get().ok());
  EXPECT_TRUE(second_of_two.answer.get().ok());
  EXPECT_EQ(device_->TimesComputed({0, 9, 9}), 0);
  EXPECT_EQ(device_->TimesComputed({0, 7, 7}), 1);
  EXPECT_EQ(service_->field_stats().blocks_dropped, 1U);
}

TEST_F(TileServiceTest, IgnoresCancelAfterTheAnswer) {
  Asked asked = Ask(QueryOf({0, 0, 0, 0}));
  EXPECT_TRUE(asked.answer.get().ok());
  service_->Cancel(asked.ticket);
  service_->Cancel(TileService::kAnswered);
}

TEST_F(TileServiceTest, AHurriedCallerTakesTheTileAlong) {
  device_->Close();
  Asked running = Ask(QueryOf({0, 0, 0, 0}));
  device_->AwaitRunAtGate();
  // Enough of them to fill batches, in the order of their priorities.
  std::vector<Asked> others;
  for (int k = 1; k <= 8; ++k) {
    TileQuery query = QueryOf({0, 0, k, 0});
    query.priority = field::Priority::kPrefetch;
    others.push_back(Ask(query));
  }
  TileQuery query = QueryOf({0, 0, 100, 0});
  query.priority = field::Priority::kBake;
  Asked patient = Ask(query);
  query.priority = field::Priority::kInteractive;
  Asked hurried = Ask(query);
  device_->Open();
  EXPECT_EQ(*hurried.answer.get(), *patient.answer.get());
  for (Asked& other : others) EXPECT_TRUE(other.answer.get().ok());
  const auto runs = device_->runs();
  ASSERT_GE(runs.size(), 2U);
  EXPECT_EQ(runs[1].blocks[0], (world::BlockKey{0, 100, 0}));
  EXPECT_EQ(device_->TimesComputed({0, 100, 0}), 1);
}

TEST_F(TileServiceTest, ErrorsReachAllAndAreNotKept) {
  device_->FailOnce([](const field::FakeRun&) { return true; }, absl::InternalError("broken"));
  device_->Close();
  const TileQuery query = QueryOf({0, 0, 0, 0});
  Asked first = Ask(query);
  Asked second = Ask(query);
  device_->Open();
  EXPECT_EQ(first.answer.get().status().code(), absl::StatusCode::kInternal);
  EXPECT_EQ(second.answer.get().status().code(), absl::StatusCode::kInternal);
  EXPECT_EQ(*GetOrDie(query), ExpectedBytes(query));
}

TEST_F(TileServiceTest, StopFailsWhatWaits) {
  device_->Close();
  Asked running = Ask(QueryOf({0, 0, 0, 0}));
  device_->AwaitRunAtGate();
  Asked waiting = Ask(QueryOf({0, 0, 1, 1}));
  std::thread stopper([this] { service_->Stop(); });
  // Once the field is stopping it answers at once.
  for (std::int64_t x = 2; Ask(QueryOf({0, 0, x, 2})).answer.wait_for(std::chrono::seconds(0)) !=
                           std::future_status::ready;
       ++x) {
    std::this_thread::yield();
  }
  device_->Open();
  stopper.join();
  EXPECT_EQ(waiting.answer.get().status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(Ask(QueryOf({0, 0, 1, 1})).answer.get().status().code(),
            absl::StatusCode::kUnavailable);
}

// A cache that keeps a tile or two, so that flights begin, end and are joined all the time.
class BusyTileServiceTest : public TileServiceTest {
 protected:
  BusyTileServiceTest() : TileServiceTest(5 * SizeOfATile() / 2) {}

  static std::size_t SizeOfATile() {
    TileQuery query;
    query.world = field::TestWorld();
    query.precision = v1::PRECISION_EXACT;
    return ExpectedBytes(query).size();
  }
};

TEST_F(BusyTileServiceTest, EveryCallIsAnsweredOnceAndRight) {
  constexpr int kKeys = 6;
  std::vector<std::string> expected;
  for (int k = 0; k < kKeys; ++k) expected.push_back(ExpectedBytes(QueryOf({0, k % 3, k, -k})));
  constexpr int kThreads = 4;
  constexpr int kCalls = 150;
  std::atomic<int> answers = 0;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < kThreads; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937_64 random(seed);
      for (int call = 0; call < kCalls; ++call) {
        const auto k = static_cast<int>(random() % kKeys);
        TileQuery query = QueryOf({0, k % 3, k, -k});
        query.priority = static_cast<field::Priority>(random() % 3);
        std::promise<void> answered;
        std::future<void> answer = answered.get_future();
        const auto ticket = service_->Get(
            query, [&, k, answered = std::move(answered)](const Answer& bytes) mutable {
              ++answers;
              const bool right = bytes.ok() ? **bytes == expected[static_cast<std::size_t>(k)]
                                            : absl::IsCancelled(bytes.status());
              if (!right) ++wrong;
              answered.set_value();
            });
        if (random() % 3 == 0) service_->Cancel(ticket);
        // Some wait, or all calls would join the first flights.
        if (random() % 3 == 0) answer.wait();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  while (service_->stats().flights != 0) std::this_thread::yield();
  EXPECT_GT(service_->stats().tiles_encoded, std::uint64_t{2 * kKeys});
  service_.reset();  // a flight has left before its callers are answered
  EXPECT_EQ(answers, kThreads * kCalls);
  EXPECT_EQ(wrong, 0) << "seeds 0 to " << kThreads - 1;
}

}  // namespace
}  // namespace thalweg::tile
