// A budget in bytes that clients share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace thalweg::sharing {

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
