#include "server/sharing/queue_shares.h"

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

}  // namespace thalweg::sharing
