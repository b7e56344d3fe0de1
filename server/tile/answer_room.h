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

#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "server/sharing/room.h"
#include "server/tile/tile_query.h"

namespace thalweg::tile {

// The max bytes of a tile as its caller gets it, encoded or as values. The size is known only when
// the tile is made.
std::size_t MaxAnswerBytes(const TileQuery& query);

// An answer takes room before its tiles are asked for, so that a caller that reads nothing stops
// its own requests, and nobody else's. Callers without room wait, each client's in the order of
// arrival. Thread-safe.
class AnswerRoom {
 public:
  using Share = sharing::Room::Share;
  using Take = absl::AnyInvocable<void(Share) &&>;
  // A request for room, for Withdraw.
  using Ticket = std::uint64_t;

  // `on_release` is called on the room's thread when an eighth of the room was given back since the
  // room was fullest, at most once a second. So memory can go back to the system.
  explicit AnswerRoom(std::size_t bytes, std::function<void()> on_release = nullptr);
  // Requests that still wait are dropped.
  ~AnswerRoom();

  AnswerRoom(const AnswerRoom&) = delete;
  AnswerRoom& operator=(const AnswerRoom&) = delete;

  // A share of this many bytes, if the client has room and none of its requests waits. One answer
  // may have at most a quarter of the room: a larger one counts as that.
  std::optional<Share> Try(std::uint64_t client, std::size_t bytes);
  // Calls `take` with a share when the client has room: before it returns, or later on the room's
  // thread. No lock is held. `take` must neither wait nor throw.
  Ticket Await(std::uint64_t client, std::size_t bytes, Take take);
  // Withdraws a request. Returns false if its `take` was called, or is about to be.
  bool Withdraw(Ticket ticket);

  // Whether a client that already waits for an answer may ask for another one ahead. Only half of
  // the room is for these, so that the first answer of each call has room.
  bool MayAskAhead(std::uint64_t client, std::size_t bytes) const;

  std::size_t bytes() const { return room_.bytes(); }
  // The bytes that all answers hold, and the number of requests that wait.
  std::size_t held() const { return room_.held(); }
  std::size_t waiting() const;

 private:
  struct Waiter {
    std::size_t bytes = 0;
    Take take;
  };
  struct Served {
    Take take;
    Share share;
  };
  struct Signal;

  void Loop();
  void ReleaseMemory(std::unique_lock<std::mutex>& lock);
  std::size_t Capped(std::size_t bytes) const { return std::min(bytes, room_.bytes() / 4); }
  // Called with the lock held. ServeAll: takes out the requests that have room now.
  std::vector<Served> ServeAll();
  Waiter Remove(std::uint64_t client, Ticket ticket);

  const std::function<void()> on_release_;
  const std::shared_ptr<Signal> signal_;
  sharing::Room room_;

  // Guarded by the signal's mutex.
  std::chrono::steady_clock::time_point next_release_;
  Ticket next_ticket_ = 1;
  // By client, then in the order of arrival.
  std::map<std::uint64_t, std::map<Ticket, Waiter>> waiting_;
  absl::flat_hash_map<Ticket, std::uint64_t> client_of_;

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

}  // namespace thalweg::tile
