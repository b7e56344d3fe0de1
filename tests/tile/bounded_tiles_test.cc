#include "server/tile/bounded_tiles.h"

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

class BoundedTilesTest : public TileServiceFixture {
 protected:
  BoundedTilesTest() {
    service_ = std::make_unique<TileService>(MakeField(), &cache_, 2);
    bounded_ = std::make_unique<BoundedTiles>(service_.get(), kTilesOfTheRoom * kMaxTileBytes);
  }
  ~BoundedTilesTest() override { Finish(); }

  // Asks for the nth tile of a row.
  Asked Ask(std::int64_t n, std::uint64_t client = 1) {
    TileQuery query = QueryOf({0, 2, n, 0});
    query.client = client;
    std::promise<Answer> promise;
    std::future<Answer> answer = promise.get_future();
    const BoundedTiles::Ticket ticket =
        bounded_->Get(query, [promise = std::move(promise)](Answer tile) mutable {
          promise.set_value(std::move(tile));
        });
    return {ticket, std::move(answer)};
  }
  static Answer Await(Asked& asked) {
    if (asked.answer.wait_for(std::chrono::seconds(60)) != std::future_status::ready) {
      return absl::DeadlineExceededError("no answer came");
    }
    return asked.answer.get();
  }

  cache::TileCache cache_{std::size_t{64} << 20};
  std::unique_ptr<BoundedTiles> bounded_;
};

TEST_F(BoundedTilesTest, ATileHoldsItsMaxSizeThenItsSizeAndThenNothing) {
  EXPECT_EQ(MaxAnswerBytes(QueryOf({0, 2, 0, 0})), kMaxTileBytes);
  device_->Close();
  Asked asked = Ask(0);
  EXPECT_EQ(bounded_->room().held(), kMaxTileBytes);
  device_->Open();
  Answer tile = Await(asked);
  ASSERT_TRUE(tile.ok()) << tile.status();
  EXPECT_EQ(bounded_->room().held(), tile->size());
  TileBytes copy = tile->bytes;
  tile = absl::CancelledError();
  EXPECT_EQ(bounded_->room().held(), copy->size());
  copy = nullptr;
  EXPECT_EQ(bounded_->room().held(), 0U);
  // What the cache keeps is in its own budget.
  EXPECT_EQ(cache_.stats().entries, 1U);
}

TEST_F(BoundedTilesTest, WithoutRoomATileIsAskedForLater) {
  device_->Close();
  std::vector<Asked> asked;
  for (std::int64_t n = 0; n < 6; ++n) asked.push_back(Ask(n));
  EXPECT_EQ(bounded_->room().waiting(), 2U);
  EXPECT_EQ(service_->stats().flights, 4U);
  // Another client has room.
  Asked other = Ask(6, 2);
  EXPECT_EQ(service_->stats().flights, 5U);
  device_->Open();
  for (Asked& one : asked) EXPECT_TRUE(Await(one).ok());
  EXPECT_TRUE(Await(other).ok());
}

TEST_F(BoundedTilesTest, AnErrorGivesItsRoomBack) {
  device_->FailOnce([](const field::FakeRun&) { return true; }, absl::InternalError("broken"));
  Asked asked = Ask(0);
  EXPECT_EQ(Await(asked).status().code(), absl::StatusCode::kInternal);
  EXPECT_EQ(bounded_->room().held(), 0U);
}

TEST_F(BoundedTilesTest, ARequestThatWaitsCanBeCancelled) {
  device_->Close();
  std::vector<Asked> asked;
  for (std::int64_t n = 0; n < 6; ++n) asked.push_back(Ask(n));
  bounded_->Cancel(asked[4].ticket);
  EXPECT_EQ(Await(asked[4]).status().code(), absl::StatusCode::kCancelled);
  bounded_->Cancel(asked[4].ticket);
  bounded_->Cancel(asked[0].ticket);
  EXPECT_EQ(Await(asked[0]).status().code(), absl::StatusCode::kCancelled);
  // Its room goes to the last one, whose late ticket still cancels it.
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (bounded_->room().waiting() > 0 && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::yield();
  }
  ASSERT_EQ(bounded_->room().waiting(), 0U);
  bounded_->Cancel(asked[5].ticket);
  EXPECT_EQ(Await(asked[5]).status().code(), absl::StatusCode::kCancelled);
  device_->Open();
  for (const std::size_t n : {1U, 2U, 3U}) EXPECT_TRUE(Await(asked[n]).ok());
}

TEST_F(BoundedTilesTest, ContentsHoldRoomToo) {
  std::promise<absl::StatusOr<TileContents>> promise;
  bounded_->GetContents(QueryOf({0, 2, 0, 0}), [&promise](absl::StatusOr<TileContents> contents) {
    promise.set_value(std::move(contents));
  });
  {
    const absl::StatusOr<TileContents> contents = promise.get_future().get();
    ASSERT_TRUE(contents.ok()) << contents.status();
    EXPECT_EQ(bounded_->room().held(), kMaxTileBytes);
    EXPECT_EQ(PlanesOf(*contents, QueryOf({0, 2, 0, 0})).size(), 1U);
  }
  EXPECT_EQ(bounded_->room().held(), 0U);
}

// Threads ask for more tiles than there is room for, and cancel at random.
TEST_F(BoundedTilesTest, EachQuestionGetsOneAnswer) {
  constexpr int kThreads = 4;
  constexpr int kCalls = 300;
  std::atomic<int> answers = 0;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < kThreads; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937_64 random(seed);
      std::vector<BoundedTiles::Ticket> tickets;
      for (int call = 0; call < kCalls; ++call) {
        TileQuery query = QueryOf({0, 2, static_cast<std::int64_t>(random() % 40), 0});
        query.client = random() % 3;
        tickets.push_back(bounded_->Get(query, [&](const Answer& tile) {
          if (!tile.ok() && !absl::IsCancelled(tile.status())) ++wrong;
          ++answers;
        }));
        if (random() % 2 == 0) bounded_->Cancel(tickets[random() % tickets.size()]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (answers < kThreads * kCalls && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::yield();
  }
  // Ends the threads that may still call back.
  Finish();
  EXPECT_EQ(answers, kThreads * kCalls);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(bounded_->room().held(), 0U);
  EXPECT_EQ(bounded_->room().waiting(), 0U);
}

}  // namespace
}  // namespace thalweg::tile
