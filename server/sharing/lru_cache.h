// Values by key, up to a budget. The least recently used values are dropped first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

#include "server/sharing/lru_list.h"

namespace thalweg::sharing {

struct LruStats {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;
  std::size_t entries = 0;
  // Of the budget, in its unit.
  std::size_t cost = 0;
};

// Thread-safe. A key's value never changes. Values are cheap to copy; a default one means none.
template <typename Key, typename Value>
class LruCache {
 public:
  // budget: in bytes, or in another unit. 0 keeps nothing.
  explicit LruCache(std::size_t budget) : budget_(budget) {}

  // The value, which becomes the most recently used one; a default one if it is not kept.
  Value Find(const Key& key) {
    const std::lock_guard lock(mutex_);
    const Entry* const found = entries_.Use(key);
    ++(found == nullptr ? stats_.misses : stats_.hits);
    return found == nullptr ? Value() : found->value;
  }

  // Keeps a value that takes `cost` of the budget, and drops others until it fits. A value that
  // exceeds the whole budget is not kept.
  void Insert(const Key& key, Value value, std::size_t cost) {
    if (cost > budget_) return;
    const std::lock_guard lock(mutex_);
    // A value that is made again is equal to the one that is kept.
    if (entries_.Look(key) != nullptr) return;
    entries_.Visit([&] { return stats_.cost + cost > budget_; },
                   [this](const Entry& oldest) {
                     stats_.cost -= oldest.cost;
                     ++stats_.evictions;
                     return List::Fate::kDrop;
                   });
    entries_.Add(key, {std::move(value), cost});
    stats_.cost += cost;
  }

  LruStats stats() const {
    const std::lock_guard lock(mutex_);
    LruStats stats = stats_;
    stats.entries = entries_.size();
    return stats;
  }

 private:
  struct Entry {
    Value value;
    std::size_t cost = 0;
  };
  using List = LruList<Key, Entry>;

  const std::size_t budget_;
  mutable std::mutex mutex_;
  List entries_;
  LruStats stats_;
};

}  // namespace thalweg::sharing
