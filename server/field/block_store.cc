#include "server/field/block_store.h"

#include <utility>

namespace thalweg::field {

BlockPtr BlockStore::Find(const BlockId& id) {
  const auto found = numbers_.find(id);
  return found == numbers_.end() ? nullptr : entries_.Use(found->second)->block;
}

void BlockStore::Insert(std::vector<BlockId> ids, BlockPtr block) {
  for (const BlockId& id : ids) {
    const auto found = numbers_.find(id);
    if (found == numbers_.end()) continue;
    const std::uint64_t number = found->second;
    Entry& other = *entries_.Look(number);
    std::erase(other.ids, id);
    numbers_.erase(found);
    if (!other.ids.empty()) continue;
    Forget(other);
    entries_.Drop(number);
  }
  const std::uint64_t number = next_number_++;
  for (const BlockId& id : ids) numbers_.emplace(id, number);
  const std::size_t bytes = block->bytes();
  bytes_ += bytes;
  entries_.Add(number, {std::move(ids), std::move(block), bytes});
}

void BlockStore::Trim() {
  using Fate = decltype(entries_)::Fate;
  entries_.Visit([this] { return bytes_ > budget_bytes_; },
                 [this](const Entry& oldest) {
                   if (oldest.block.use_count() > 1) return Fate::kKeep;
                   Forget(oldest);
                   ++evicted_;
                   return Fate::kDrop;
                 });
}

void BlockStore::Clear() {
  numbers_.clear();
  entries_.Clear();
  bytes_ = 0;
}

void BlockStore::Forget(const Entry& entry) {
  bytes_ -= entry.bytes;
  for (const BlockId& id : entry.ids) numbers_.erase(id);
}

}  // namespace thalweg::field
