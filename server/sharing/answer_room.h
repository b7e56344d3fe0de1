// Memory for what is held for callers: tiles and pictures from the request until they are sent.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/sharing/room.h"

namespace thalweg::sharing {

// An answer takes room before its tiles are asked for, so that a caller that reads nothing stops
// its own requests, and nobody else's. Callers without room wait, each client's in the order of
// arrival. Thread-safe.
class AnswerRoom {
 public:
  using Share = Room::Share;
  // Gets the share, CANCELLED after Withdraw, or UNAVAILABLE after Stop.
  using Take = absl::AnyInvocable<void(absl::StatusOr<Share>) &&>;

  // A request for room. Its caller makes it before it asks, so that it can withdraw at any time.
  class Wish {
    friend AnswerRoom;
    // Guarded by the room. The place is 0 while the wish does not wait.
    std::uint64_t client_ = 0;
    std::uint64_t place_ = 0;
    bool withdrawn_ = false;
  };

  // `on_release` is called on the room's thread when an eighth of the room was given back since the
  // room was fullest, at most once a second. So memory can go back to the system.
  explicit AnswerRoom(std::size_t bytes, std::function<void()> on_release = nullptr);
  // Calls Stop.
  ~AnswerRoom();

  AnswerRoom(const AnswerRoom&) = delete;
  AnswerRoom& operator=(const AnswerRoom&) = delete;

  // A share of this many bytes, if the client has room and none of its requests waits. One answer
  // may have at most a quarter of the room: a larger one counts as that.
  std::optional<Share> Try(std::uint64_t client, std::size_t bytes);
  // Asks once for a wish, which must live until `take` is called. That happens once, without a
  // lock: before this returns, in Withdraw, in Stop, or later on the room's thread. `take` must
  // neither wait nor throw.
  void Await(Wish& wish, std::uint64_t client, std::size_t bytes, Take take);
  // At any time, even before Await: the wish gets CANCELLED, unless it has its share or is about to
  // get it.
  void Withdraw(Wish& wish);
  // Fails the requests that wait, and all later ones.
  void Stop();

  // Whether a client that already waits for an answer may ask for another one ahead. Only half of
  // the room is for these, so that the first answer of each call has room.
  bool MayAskAhead(std::uint64_t client, std::size_t bytes) const;

  std::size_t bytes() const { return room_.bytes(); }
  // The bytes that all answers hold, and the number of requests that wait.
  std::size_t held() const { return room_.held(); }
  std::size_t waiting() const;

 private:
  struct Waiter {
    Wish* wish = nullptr;
    std::size_t bytes = 0;
    Take take;
  };
  struct Served {
    Take take;
    absl::StatusOr<Share> share;
  };
  struct Signal;

  void Loop();
  void ReleaseMemory(std::unique_lock<std::mutex>& lock);
  std::size_t Capped(std::size_t bytes) const { return std::min(bytes, room_.bytes() / 4); }
  // Called with the lock held. ServeAll: takes out the requests that have room now.
  std::vector<Served> ServeAll();
  Waiter Remove(Wish& wish);

  const std::function<void()> on_release_;
  const std::shared_ptr<Signal> signal_;
  Room room_;

  // Guarded by the signal's mutex.
  std::chrono::steady_clock::time_point next_release_;
  std::uint64_t next_place_ = 1;
  // By client, then in the order of arrival.
  std::map<std::uint64_t, std::map<std::uint64_t, Waiter>> waiting_;

  std::once_flag stopped_;
  std::thread thread_;
};

// The value, which holds its share until nobody uses it any more.
template <typename Value>
std::shared_ptr<const Value> Holding(std::shared_ptr<const Value> value, AnswerRoom::Share share) {
  // The share goes last.
  auto both = std::make_shared<std::pair<AnswerRoom::Share, std::shared_ptr<const Value>>>(
      std::move(share), std::move(value));
  const Value* const held = both->second.get();
  return {std::move(both), held};
}

}  // namespace thalweg::sharing
