// A budget in bytes that clients share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace thalweg::sharing {

// How much of a queue each client may fill. Dynamic thresholds (Choudhury and Hahne, 1998): a
// client may add a request while it has fewer waiting than the queue still takes. So one client
// fills half of a queue, and two that go on asking fill a third each. In every state a queue with n
// clients takes (max + 1) / 2^n - 1 more requests, and a client without a request is refused only
// when the queue is full. Proof: the client that added the last request has at most F + 1, where F
// is what the queue still takes. The client before it saw no less than that, so it has at most 2 (F
// + 1), and so on: all clients have (2^n - 1)(F + 1) together. Not thread-safe.
class QueueShares {
 public:
  // Whether a client may add `count` requests, 1 or more, to a queue that holds `max`, as if they
  // came one after the other.
  bool HasRoom(std::uint64_t client, std::size_t max, std::size_t count = 1) const;
  void Add(std::uint64_t client, std::size_t count = 1);
  // Reports that `count` of the client's requests have left the queue.
  void Remove(std::uint64_t client, std::size_t count = 1);

  // The number of requests: of all clients, and of one.
  std::size_t size() const { return size_; }
  std::size_t HeldBy(std::uint64_t client) const;
  // Clients with a request.
  std::size_t clients() const { return held_.size(); }

 private:
  std::size_t size_ = 0;
  absl::flat_hash_map<std::uint64_t, std::size_t> held_;
};

// Shared as by QueueShares: one client gets half of it, two get a third each, and some is always
// left for another client. It only counts bytes; others hold them. Thread-safe.
class Room {
  struct State;

 public:
  // Gets the number of bytes that all shares still hold.
  using OnFree = std::function<void(std::size_t held)>;

  // `on_free` is called after bytes were given back, without a lock of the room. It may be called
  // after the room is destroyed, since shares may outlive it. It must neither wait nor throw.
  explicit Room(std::size_t bytes, OnFree on_free = nullptr);

  // Bytes that one client holds; given back by the destructor. May outlive the room. Not
  // thread-safe.
  class Share {
   public:
    // A share of no room: it holds nothing.
    Share() = default;
    Share(const Room& room, std::uint64_t client) : state_(room.state_), client_(client) {}
    ~Share() { HoldAnyway(0); }
    Share(Share&& other) noexcept
        : state_(std::move(other.state_)),
          client_(other.client_),
          held_(std::exchange(other.held_, 0)) {}
    Share& operator=(Share&& other) noexcept;

    // Sets how many bytes are held. Returns false and changes nothing if the client has no room for
    // further ones.
    bool Hold(std::size_t bytes);
    // The same in a part of the room: the client has further bytes only if it would have them in a
    // room of `max` bytes. What is beyond is left for more important bytes.
    bool HoldWithin(std::size_t max, std::size_t bytes);
    // The same whether or not there is room.
    void HoldAnyway(std::size_t bytes);
    std::size_t held() const { return held_; }

   private:
    std::shared_ptr<State> state_;
    std::uint64_t client_ = 0;
    std::size_t held_ = 0;
  };

  // Whether the client may hold these further bytes in a part of the room; see Share::HoldWithin.
  bool HasRoom(std::uint64_t client, std::size_t max, std::size_t bytes) const;

  std::size_t bytes() const;
  // The bytes that all shares hold.
  std::size_t held() const;

 private:
  const std::shared_ptr<State> state_;
};

}  // namespace thalweg::sharing
