#include "server/field/queue_shares.h"

namespace thalweg::field {

bool QueueShares::HasRoom(std::uint64_t client, std::size_t places) const {
  return size_ < places && HeldBy(client) < places - size_;
}

void QueueShares::Add(std::uint64_t client) {
  ++held_[client];
  ++size_;
}

void QueueShares::Remove(std::uint64_t client) {
  const auto found = held_.find(client);
  --size_;
  if (--found->second == 0) held_.erase(found);
}

std::size_t QueueShares::HeldBy(std::uint64_t client) const {
  const auto found = held_.find(client);
  return found == held_.end() ? 0 : found->second;
}

}  // namespace thalweg::field
