// Tiles whose answers need room.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "tests/tile/tile_service_fixture.h"

namespace thalweg::tile {
namespace {

constexpr std::size_t kMaxTileBytes = std::size_t{257} * 257 * 4;
// One client gets half.
constexpr std::size_t kTilesOfTheRoom = 8;

class TileRoomTest : public TileServiceFixture {
 protected:
  TileRoomTest() {
    service_ = std::make_unique<TileService>(TileService::Parts{
        .field = MakeField(),
        .cache = &cache_,
        .encode_threads = 2,
        .room = std::make_unique<sharing::AnswerRoom>(kTilesOfTheRoom * kMaxTileBytes)});
  }
  ~TileRoomTest() override { Finish(); }

  sharing::AnswerRoom& room() const { return *service_->room(); }
  // Asks for the nth tile of a row.
  Asked Ask(std::int64_t n, std::uint64_t client = 1, std::shared_ptr<Payer> payer = nullptr) {
    TileQuery query = QueryOf({0, 2, n, 0});
    query.client = client;
    query.payer = std::move(payer);
    return TileServiceFixture::Ask(query);
  }
  static Answer Await(Asked& asked) {
    if (asked.answer.wait_for(std::chrono::seconds(60)) != std::future_status::ready) {
      return absl::DeadlineExceededError("no answer came");
    }
    return asked.answer.get();
  }

  cache::TileCache cache_{std::size_t{64} << 20};
};

TEST_F(TileRoomTest, ATileHoldsItsMaxSizeThenItsSizeThenNothing) {
  EXPECT_EQ(MaxAnswerBytes(QueryOf({0, 2, 0, 0})), kMaxTileBytes);
  device_->Close();
  Asked asked = Ask(0);
  EXPECT_EQ(room().held(), kMaxTileBytes);
  device_->Open();
  Answer tile = Await(asked);
  ASSERT_TRUE(tile.ok()) << tile.status();
  EXPECT_EQ(room().held(), tile->size());
  TileBytes copy = tile->bytes;
  tile = absl::CancelledError();
  EXPECT_EQ(room().held(), copy->size());
  copy = nullptr;
  EXPECT_EQ(room().held(), 0U);
  // What the cache keeps is in its own budget.
  EXPECT_EQ(cache_.stats().entries, 1U);
}

TEST_F(TileRoomTest, WithoutRoomATileIsRequestedLater) {
  device_->Close();
  std::vector<Asked> asked;
  for (std::int64_t n = 0; n < 6; ++n) asked.push_back(Ask(n));
  EXPECT_EQ(room().waiting(), 2U);
  EXPECT_EQ(service_->stats().flights, 4U);
  // Another client has room.
  Asked other = Ask(6, 2);
  EXPECT_EQ(service_->stats().flights, 5U);
  device_->Open();
  for (Asked& one : asked) EXPECT_TRUE(Await(one).ok());
  EXPECT_TRUE(Await(other).ok());
}

TEST_F(TileRoomTest, AnErrorReturnsItsRoom) {
  device_->FailOnce([](const field::FakeRun&) { return true; }, absl::InternalError("broken"));
  Asked asked = Ask(0);
  EXPECT_EQ(Await(asked).status().code(), absl::StatusCode::kInternal);
  EXPECT_EQ(room().held(), 0U);
}

TEST_F(TileRoomTest, AWaitingRequestCanBeCancelled) {
  device_->Close();
  std::vector<Asked> asked;
  for (std::int64_t n = 0; n < 6; ++n) asked.push_back(Ask(n));
  service_->Cancel(asked[4].waiter);
  EXPECT_EQ(Await(asked[4]).status().code(), absl::StatusCode::kCancelled);
  service_->Cancel(asked[4].waiter);
  service_->Cancel(asked[0].waiter);
  EXPECT_EQ(Await(asked[0]).status().code(), absl::StatusCode::kCancelled);
  // Its room goes to the last one, whose waiter still cancels it.
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (room().waiting() > 0 && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::yield();
  }
  ASSERT_EQ(room().waiting(), 0U);
  service_->Cancel(asked[5].waiter);
  EXPECT_EQ(Await(asked[5]).status().code(), absl::StatusCode::kCancelled);
  device_->Open();
  for (const std::size_t n : {1U, 2U, 3U}) EXPECT_TRUE(Await(asked[n]).ok());
}

TEST_F(TileRoomTest, ContentsHoldRoom) {
  {
    const auto contents = AskForValues(QueryOf({0, 2, 0, 0})).answer.get();
    ASSERT_TRUE(contents.ok()) << contents.status();
    EXPECT_EQ(room().held(), kMaxTileBytes);
    EXPECT_EQ(PlanesOf(*contents, QueryOf({0, 2, 0, 0})).size(), 1U);
  }
  EXPECT_EQ(room().held(), 0U);
}

// Threads ask for more tiles than there is room for, and cancel at random.
TEST_F(TileRoomTest, EachRequestGetsOneAnswer) {
  constexpr int kThreads = 4;
  constexpr int kCalls = 300;
  std::atomic<int> answers = 0;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < kThreads; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937_64 random(seed);
      std::vector<TileSource::WaiterPtr> waiters;
      for (int call = 0; call < kCalls; ++call) {
        TileQuery query = QueryOf({0, 2, static_cast<std::int64_t>(random() % 40), 0});
        query.client = random() % 3;
        query.wants_values = random() % 4 == 0;
        waiters.push_back(std::make_shared<TileWaiter>());
        service_->Get(waiters.back(), query, [&](const absl::StatusOr<TileContents>& tile) {
          if (!tile.ok() && !absl::IsCancelled(tile.status())) ++wrong;
          ++answers;
        });
        if (random() % 2 == 0) service_->Cancel(waiters[random() % waiters.size()]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (answers < kThreads * kCalls && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::yield();
  }
  EXPECT_EQ(room().held(), 0U);
  EXPECT_EQ(room().waiting(), 0U);
  // Ends the threads that may still call back.
  Finish();
  EXPECT_EQ(answers, kThreads * kCalls);
  EXPECT_EQ(wrong, 0);
}

// A tile in the cache takes the room of its bytes, not that of the largest tile.
TEST_F(TileRoomTest, ACachedTileTakesOnlyItsSize) {
  Asked cold = Ask(0);
  const std::size_t size = Await(cold)->size();
  std::vector<Answer> held;
  while (room().waiting() == 0 && held.size() < 1'000) {
    Asked hot = Ask(0);
    if (room().waiting() > 0) {
      service_->Cancel(hot.waiter);
      break;
    }
    held.push_back(Await(hot));
  }
  EXPECT_LT(size, kMaxTileBytes / 2);
  EXPECT_GT(held.size(), kTilesOfTheRoom);
  EXPECT_EQ(room().held(), held.size() * size);
}

// Whoever waits, for room or for a tile, is answered when the service goes.
TEST_F(TileRoomTest, ThousandsOfWaitersAreAnsweredAtTheEnd) {
  device_->Close();
  std::vector<Asked> asked;
  for (std::int64_t n = 0; n < 4'000; ++n) {
    asked.push_back(Ask(n, static_cast<std::uint64_t>(n) % 7));
  }
  EXPECT_GT(room().waiting(), 3'000U);
  Finish();
  for (Asked& one : asked) {
    const Answer answer = Await(one);
    EXPECT_TRUE(answer.ok() || absl::IsUnavailable(answer.status())) << answer.status();
  }
}

// A budget that may be taken away.
class Allowance final : public Payer {
 public:
  absl::Status MayGenerate() override {
    return gone_ ? absl::UnauthenticatedError("revoked") : absl::OkStatus();
  }
  void Charge(std::int64_t cells) override { charged_ += cells; }
  void TakeAway() { gone_ = true; }
  std::int64_t charged() const { return charged_; }

 private:
  std::atomic<bool> gone_ = false;
  std::atomic<std::int64_t> charged_ = 0;
};

// The payer is asked when the tile is about to be made, not when its caller began to wait.
TEST_F(TileRoomTest, ACallerRevokedWhileItWaitsPaysNothing) {
  device_->Close();
  std::vector<Asked> before;
  for (std::int64_t n = 0; n < 4; ++n) before.push_back(Ask(n));
  const auto payer = std::make_shared<Allowance>();
  Asked waiting = Ask(100, 1, payer);
  EXPECT_EQ(room().waiting(), 1U);
  payer->TakeAway();
  device_->Open();
  EXPECT_EQ(Await(waiting).status().code(), absl::StatusCode::kUnauthenticated);
  EXPECT_EQ(payer->charged(), 0);
  EXPECT_EQ(device_->TimesComputed({0, 2, 100, 0}), 0);
}

}  // namespace
}  // namespace thalweg::tile
