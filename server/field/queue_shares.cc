#include "server/field/queue_shares.h"

namespace thalweg::field {

bool QueueShares::HasRoom(std::uint64_t client, std::size_t places, std::size_t count) const {
  // For the last of them, count - 1 more places are taken and as many fewer are free.
  const std::size_t needed = 2 * (count - 1);
  return size_ + needed < places && HeldBy(client) < places - size_ - needed;
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

}  // namespace thalweg::field
