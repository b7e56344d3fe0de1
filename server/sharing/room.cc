#include "server/sharing/room.h"

#include <mutex>

namespace thalweg::sharing {

bool QueueShares::HasRoom(std::uint64_t client, std::size_t max, std::size_t count) const {
  // Before the last of them comes, the queue holds count - 1 more, and takes count - 1 fewer.
  const std::size_t needed = 2 * (count - 1);
  return size_ + needed < max && HeldBy(client) < max - size_ - needed;
}

void QueueShares::Add(std::uint64_t client, std::size_t count) {
  held_[client] += count;
  size_ += count;
}

void QueueShares::Remove(std::uint64_t client, std::size_t count) {
  const auto found = held_.find(client);
  size_ -= count;
  if ((found->second -= count) == 0) held_.erase(found);
}

std::size_t QueueShares::HeldBy(std::uint64_t client) const {
  const auto found = held_.find(client);
  return found == held_.end() ? 0 : found->second;
}

struct Room::State {
  State(std::size_t room_bytes, OnFree called) : bytes(room_bytes), on_free(std::move(called)) {}

  const std::size_t bytes;
  const OnFree on_free;
  mutable std::mutex mutex;
  QueueShares shares;
};

Room::Room(std::size_t bytes, OnFree on_free)
    : state_(std::make_shared<State>(bytes, std::move(on_free))) {}

bool Room::HasRoom(std::uint64_t client, std::size_t max, std::size_t bytes) const {
  const std::lock_guard lock(state_->mutex);
  return state_->shares.HasRoom(client, max, bytes);
}

std::size_t Room::bytes() const { return state_->bytes; }

std::size_t Room::held() const {
  const std::lock_guard lock(state_->mutex);
  return state_->shares.size();
}

Room::Share& Room::Share::operator=(Share&& other) noexcept {
  if (this == &other) return *this;
  HoldAnyway(0);
  state_ = std::move(other.state_);
  client_ = other.client_;
  held_ = std::exchange(other.held_, 0);
  return *this;
}

bool Room::Share::Hold(std::size_t bytes) {
  return HoldWithin(state_ == nullptr ? 0 : state_->bytes, bytes);
}

bool Room::Share::HoldWithin(std::size_t max, std::size_t bytes) {
  if (bytes <= held_) {
    HoldAnyway(bytes);
    return true;
  }
  if (state_ == nullptr) return false;
  const std::lock_guard lock(state_->mutex);
  if (!state_->shares.HasRoom(client_, max, bytes - held_)) return false;
  state_->shares.Add(client_, bytes - held_);
  held_ = bytes;
  return true;
}

void Room::Share::HoldAnyway(std::size_t bytes) {
  if (bytes == held_ || state_ == nullptr) return;
  const bool frees = bytes < held_;
  std::size_t left = 0;
  {
    const std::lock_guard lock(state_->mutex);
    if (frees) {
      state_->shares.Remove(client_, held_ - bytes);
    } else {
      state_->shares.Add(client_, bytes - held_);
    }
    left = state_->shares.size();
  }
  held_ = bytes;
  if (frees && state_->on_free != nullptr) state_->on_free(left);
}

}  // namespace thalweg::sharing
