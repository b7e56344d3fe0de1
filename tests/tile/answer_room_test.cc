#include "server/tile/answer_room.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace thalweg::tile {
namespace {

using Share = AnswerRoom::Share;

constexpr std::size_t kBytesOfTheRoom = 1'000;

// A request for room whose share a test can await.
class Wish {
 public:
  Wish(AnswerRoom& room, std::uint64_t client, std::size_t bytes) {
    ticket_ =
        room.Await(client, bytes, [this](Share share) { share_.set_value(std::move(share)); });
  }

  AnswerRoom::Ticket ticket() const { return ticket_; }
  bool IsServed() const {
    return served_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }
  // Ends the test's process after a minute, instead of a wait without end.
  Share Take() {
    EXPECT_EQ(served_.wait_for(std::chrono::seconds(60)), std::future_status::ready)
        << "no room came for a request";
    return served_.get();
  }

 private:
  std::promise<Share> share_;
  std::future<Share> served_ = share_.get_future();
  AnswerRoom::Ticket ticket_ = 0;
};

TEST(AnswerRoomTest, ThoseWithoutRoomWaitInTheOrderOfTheirArrival) {
  AnswerRoom room(kBytesOfTheRoom);
  Share first = Wish(room, 1, 250).Take();
  Share second = Wish(room, 1, 250).Take();
  Wish large(room, 1, 200);
  // It would have room, but must not pass the one before it: that could wait for ever.
  Wish small(room, 1, 10);
  EXPECT_FALSE(room.Try(1, 1).has_value());
  EXPECT_EQ(room.waiting(), 2U);
  first.Hold(240);
  EXPECT_EQ(room.waiting(), 2U);
  first.Hold(0);
  EXPECT_EQ(large.Take().held(), 200U);
  EXPECT_EQ(small.Take().held(), 10U);
  EXPECT_EQ(room.waiting(), 0U);
  EXPECT_EQ(room.held(), 250U);
}

TEST(AnswerRoomTest, WhatOneClientHoldsKeepsNoOtherWaiting) {
  AnswerRoom room(kBytesOfTheRoom);
  std::vector<Share> unread;
  std::deque<Wish> waiting;
  while (auto share = room.Try(1, 100)) unread.push_back(*std::move(share));
  for (int n = 0; n < 100; ++n) waiting.emplace_back(room, 1, 100);
  EXPECT_EQ(room.held(), kBytesOfTheRoom / 2);
  EXPECT_EQ(Wish(room, 2, 100).Take().held(), 100U);
  for (const Wish& wish : waiting) {
    EXPECT_FALSE(wish.IsServed());
    EXPECT_TRUE(room.Withdraw(wish.ticket()));
  }
}

TEST(AnswerRoomTest, AWithdrawnRequestIsNotServed) {
  AnswerRoom room(kBytesOfTheRoom);
  Share first = Wish(room, 1, 250).Take();
  Share second = Wish(room, 1, 250).Take();
  const Wish withdrawn(room, 1, 250);
  Wish behind(room, 1, 240);
  EXPECT_TRUE(room.Withdraw(withdrawn.ticket()));
  EXPECT_FALSE(room.Withdraw(withdrawn.ticket()));
  first.Hold(0);
  EXPECT_EQ(behind.Take().held(), 240U);
  EXPECT_FALSE(withdrawn.IsServed());
  EXPECT_FALSE(room.Withdraw(behind.ticket()));
}

// A stream that asks ahead leaves room for the first tiles of other streams of its caller.
TEST(AnswerRoomTest, WhatIsAskedAheadHasHalfOfTheRoom) {
  AnswerRoom room(kBytesOfTheRoom);
  std::vector<Share> ahead;
  while (room.MayAskAhead(1, 10)) ahead.push_back(*room.Try(1, 10));
  EXPECT_EQ(room.held(), kBytesOfTheRoom / 4);
  EXPECT_TRUE(room.Try(1, 200).has_value());
}

// Otherwise a large picture could not be asked for at all.
TEST(AnswerRoomTest, AnAnswerThatIsTooLargeCountsAsAQuarter) {
  AnswerRoom room(kBytesOfTheRoom);
  EXPECT_EQ(Wish(room, 1, 50 * kBytesOfTheRoom).Take().held(), kBytesOfTheRoom / 4);
}

TEST(AnswerRoomTest, RequestsThatWaitAreDroppedWithTheRoom) {
  auto room = std::make_unique<AnswerRoom>(kBytesOfTheRoom);
  Share share = Wish(*room, 1, 250).Take();
  Share other = Wish(*room, 1, 250).Take();
  const Wish waiting(*room, 1, 250);
  room.reset();
  share.Hold(0);
  EXPECT_FALSE(waiting.IsServed());
}

// The allocator keeps memory that was given back, so the owner is told when there is much of it.
TEST(AnswerRoomTest, SaysWhenMuchWasGivenBack) {
  std::atomic<int> released = 0;
  AnswerRoom room(kBytesOfTheRoom, [&released] { ++released; });
  Share large = Wish(room, 1, 250).Take();
  Share small = Wish(room, 1, 20).Take();
  for (int n = 0; n < 100; ++n) {
    small.Hold(0);
    EXPECT_TRUE(small.Hold(20));
  }
  EXPECT_EQ(released, 0);
  large.Hold(0);
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (released == 0 && std::chrono::steady_clock::now() < give_up) std::this_thread::yield();
  EXPECT_EQ(released, 1);
}

// Threads hold shares for a moment, and withdraw some of their requests. Each request is served or
// withdrawn once, and the room is never exceeded.
TEST(AnswerRoomTest, EachRequestIsServedOrWithdrawn) {
  constexpr int kThreads = 4;
  constexpr int kRequests = 500;
  AnswerRoom room(kBytesOfTheRoom);
  std::atomic<int> served = 0;
  std::atomic<int> withdrawn = 0;
  std::atomic<bool> exceeded = false;
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < kThreads; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937_64 random(seed);
      for (int n = 0; n < kRequests; ++n) {
        const AnswerRoom::Ticket ticket =
            room.Await(random() % 3, 1 + random() % 400, [&](Share share) {
              if (room.held() > kBytesOfTheRoom) exceeded = true;
              share.Hold(share.held() / 2);
              ++served;
            });
        if (random() % 4 == 0 && room.Withdraw(ticket)) ++withdrawn;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (served + withdrawn < kThreads * kRequests && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::yield();
  }
  EXPECT_EQ(served + withdrawn, kThreads * kRequests);
  EXPECT_FALSE(exceeded);
  EXPECT_EQ(room.waiting(), 0U);
  EXPECT_EQ(room.held(), 0U);
}

}  // namespace
}  // namespace thalweg::tile
