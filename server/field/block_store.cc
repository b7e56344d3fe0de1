#include "server/field/block_store.h"

#include <iterator>
#include <utility>

namespace thalweg::field {

BlockPtr BlockStore::Find(const BlockId& id) {
  const auto found = index_.find(id);
  if (found == index_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->block;
}

void BlockStore::Insert(std::vector<BlockId> ids, BlockPtr block) {
  for (const BlockId& id : ids) {
    const auto found = index_.find(id);
    if (found == index_.end()) continue;
    const Entries::iterator entry = found->second;
    if (entry->ids.size() == 1) {
      Erase(entry);
    } else {
      std::erase(entry->ids, id);
      index_.erase(found);
    }
  }
  const std::size_t bytes = block->bytes();
  entries_.push_front(Entry{std::move(ids), std::move(block), bytes});
  for (const BlockId& id : entries_.front().ids) index_.emplace(id, entries_.begin());
  bytes_ += bytes;
}

void BlockStore::Trim() {
  auto entry = entries_.end();
  while (bytes_ > budget_bytes_ && entry != entries_.begin()) {
    const auto candidate = std::prev(entry);
    if (candidate->block.use_count() > 1) {
      entry = candidate;
    } else {
      Erase(candidate);
      ++evicted_;
    }
  }
}

void BlockStore::Clear() {
  index_.clear();
  entries_.clear();
  bytes_ = 0;
}

void BlockStore::Erase(Entries::iterator entry) {
  bytes_ -= entry->bytes;
  for (const BlockId& id : entry->ids) index_.erase(id);
  entries_.erase(entry);
}

}  // namespace thalweg::field
