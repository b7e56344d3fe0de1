// Values by key, up to a number of bytes. The least recently used values are dropped first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace thalweg::sharing {

struct LruStats {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;
  std::size_t entries = 0;
  std::size_t bytes = 0;
};

// Thread-safe. A key's value never changes. Values are cheap to copy; a default one means none.
template <typename Key, typename Value>
class LruBytes {
 public:
  // budget_bytes: 0 keeps nothing.
  explicit LruBytes(std::size_t budget_bytes) : budget_bytes_(budget_bytes) {}

  // The value, which becomes the most recently used one; a default one if it is not kept.
  Value Find(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) {
      ++stats_.misses;
      return {};
    }
    ++stats_.hits;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->value;
  }

  // Keeps a value that takes `cost` bytes of the budget, and drops others until it fits. A value
  // that exceeds the whole budget is not kept.
  void Insert(const Key& key, Value value, std::size_t cost) {
    if (cost > budget_bytes_) return;
    const std::lock_guard lock(mutex_);
    // A value that is made again is equal to the one that is kept.
    if (by_key_.contains(key)) return;
    while (stats_.bytes + cost > budget_bytes_) EvictOldest();
    entries_.push_front({key, std::move(value), cost});
    by_key_.emplace(key, entries_.begin());
    stats_.bytes += cost;
    ++stats_.entries;
  }

  LruStats stats() const {
    const std::lock_guard lock(mutex_);
    return stats_;
  }

 private:
  struct Entry {
    Key key;
    Value value;
    std::size_t cost = 0;
  };

  void EvictOldest() {
    const Entry& oldest = entries_.back();
    stats_.bytes -= oldest.cost;
    --stats_.entries;
    ++stats_.evictions;
    by_key_.erase(oldest.key);
    entries_.pop_back();
  }

  const std::size_t budget_bytes_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // the most recently used one first
  absl::flat_hash_map<Key, typename std::list<Entry>::iterator> by_key_;
  LruStats stats_;
};

}  // namespace thalweg::sharing
