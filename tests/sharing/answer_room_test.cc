#include "server/sharing/answer_room.h"

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

namespace thalweg::sharing {
namespace {

using Share = AnswerRoom::Share;

constexpr std::size_t kBytesOfTheRoom = 1'000;

// A request for room whose share a test can await.
class Wish {
 public:
  Wish(AnswerRoom& room, std::uint64_t client, std::size_t bytes) : room_(room) {
    room.Await(wish_, client, bytes,
               [this](absl::StatusOr<Share> share) { share_.set_value(std::move(share)); });
  }

  void Withdraw() { room_.Withdraw(wish_); }
  bool IsAnswered() const {
    return answered_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }
  // Fails after a minute, instead of a wait without end.
  absl::StatusOr<Share> Answer() {
    EXPECT_EQ(answered_.wait_for(std::chrono::seconds(60)), std::future_status::ready)
        << "no answer came to a request";
    return answered_.get();
  }
  Share Take() { return Answer().value(); }

 private:
  AnswerRoom& room_;
  AnswerRoom::Wish wish_;
  std::promise<absl::StatusOr<Share>> share_;
  std::future<absl::StatusOr<Share>> answered_ = share_.get_future();
};

TEST(AnswerRoomTest, RequestsWithoutRoomWaitInTheOrderOfArrival) {
  AnswerRoom room(kBytesOfTheRoom);
  Share first = Wish(room, 1, 250).Take();
  Share second = Wish(room, 1, 200).Take();
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
  EXPECT_EQ(room.held(), 200U);
}

TEST(AnswerRoomTest, RoomHeldByOneClientDelaysNoOther) {
  AnswerRoom room(kBytesOfTheRoom);
  std::vector<Share> unread;
  std::deque<Wish> waiting;
  while (auto share = room.Try(1, 100)) unread.push_back(*std::move(share));
  for (int n = 0; n < 100; ++n) waiting.emplace_back(room, 1, 100);
  EXPECT_EQ(room.held(), kBytesOfTheRoom / 2);
  EXPECT_EQ(Wish(room, 2, 100).Take().held(), 100U);
  for (Wish& wish : waiting) {
    EXPECT_FALSE(wish.IsAnswered());
    wish.Withdraw();
    EXPECT_TRUE(absl::IsCancelled(wish.Answer().status()));
  }
}

TEST(AnswerRoomTest, AWithdrawnRequestGetsNoRoom) {
  AnswerRoom room(kBytesOfTheRoom);
  Share first = Wish(room, 1, 250).Take();
  Share second = Wish(room, 1, 250).Take();
  Wish withdrawn(room, 1, 250);
  Wish behind(room, 1, 240);
  withdrawn.Withdraw();
  withdrawn.Withdraw();
  EXPECT_TRUE(absl::IsCancelled(withdrawn.Answer().status()));
  first.Hold(0);
  EXPECT_EQ(behind.Take().held(), 240U);
  behind.Withdraw();
  EXPECT_EQ(room.waiting(), 0U);
}

TEST(AnswerRoomTest, ARequestCanBeWithdrawnBeforeItIsMade) {
  AnswerRoom room(kBytesOfTheRoom);
  AnswerRoom::Wish wish;
  room.Withdraw(wish);
  absl::Status status;
  room.Await(wish, 1, 10,
             [&status](const absl::StatusOr<Share>& share) { status = share.status(); });
  EXPECT_TRUE(absl::IsCancelled(status));
  EXPECT_EQ(room.held(), 0U);
}

// A stream that asks ahead leaves room for the first tiles of other streams of its caller.
TEST(AnswerRoomTest, RequestsAheadHaveHalfOfTheRoom) {
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

TEST(AnswerRoomTest, WaitingRequestsFailWhenTheRoomIsDestroyed) {
  auto room = std::make_unique<AnswerRoom>(kBytesOfTheRoom);
  Share share = Wish(*room, 1, 250).Take();
  Share other = Wish(*room, 1, 250).Take();
  Wish waiting(*room, 1, 250);
  room->Stop();
  EXPECT_TRUE(absl::IsUnavailable(waiting.Answer().status()));
  EXPECT_TRUE(absl::IsUnavailable(Wish(*room, 2, 1).Answer().status()));
  room.reset();
  share.Hold(0);
}

// The allocator keeps memory that was given back, so the owner is told when there is much of it.
TEST(AnswerRoomTest, ReportsWhenMuchRoomWasReturned) {
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

// Threads hold shares for a moment, and withdraw some of their requests: before, right after and
// long after they made them. Each request is answered once, and the room is never exceeded.
TEST(AnswerRoomTest, EachRequestIsAnsweredOnce) {
  constexpr int kThreads = 4;
  constexpr int kRequests = 500;
  AnswerRoom room(kBytesOfTheRoom);
  std::atomic<int> answered = 0;
  std::atomic<bool> exceeded = false;
  std::deque<AnswerRoom::Wish> wishes(kThreads * kRequests);
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < kThreads; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937_64 random(seed);
      for (std::uint64_t n = 0; n < kRequests; ++n) {
        AnswerRoom::Wish& wish = wishes[seed * kRequests + n];
        if (random() % 8 == 0) room.Withdraw(wish);
        room.Await(wish, random() % 3, 1 + random() % 400, [&](absl::StatusOr<Share> share) {
          if (room.held() > kBytesOfTheRoom) exceeded = true;
          if (share.ok()) share->Hold(share->held() / 2);
          ++answered;
        });
        if (random() % 4 == 0) room.Withdraw(wish);
        // Perhaps one of another thread, which is not asked for yet.
        if (random() % 8 == 0) room.Withdraw(wishes[random() % wishes.size()]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (answered < kThreads * kRequests && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::yield();
  }
  room.Stop();
  EXPECT_EQ(answered, kThreads * kRequests);
  EXPECT_FALSE(exceeded);
  EXPECT_EQ(room.waiting(), 0U);
  EXPECT_EQ(room.held(), 0U);
}

}  // namespace
}  // namespace thalweg::sharing
