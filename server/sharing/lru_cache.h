// Values by key, up to a budget. The least recently used values are dropped first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <mutex>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace thalweg::sharing {

// Values by key, in the order of their last use. Unbounded: its owner decides what goes. Not
// thread-safe.
template <typename Key, typename Value>
class LruList {
 public:
  // What becomes of a value that Visit shows. kUse: it becomes the most recently used one.
  enum class Fate { kKeep, kUse, kDrop };

  // The value, which becomes the most recently used one; null if there is none.
  Value* Use(const Key& key) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return &found->second->second;
  }
  // The same, without a use.
  Value* Look(const Key& key) {
    const auto found = by_key_.find(key);
    return found == by_key_.end() ? nullptr : &found->second->second;
  }
  // Adds a value, whose key must be new, as the most recently used one.
  Value& Add(Key key, Value value) {
    entries_.emplace_front(std::move(key), std::move(value));
    by_key_.emplace(entries_.front().first, entries_.begin());
    return entries_.front().second;
  }
  // The key must be there.
  void Drop(const Key& key) {
    const auto found = by_key_.find(key);
    entries_.erase(found->second);
    by_key_.erase(found);
  }
  // Calls `fate_of` with each value, the least recently used one first, while `more()` is true.
  template <typename More, typename FateOf>
  void Visit(More more, FateOf fate_of) {
    // Values that are used now come behind this number.
    auto left = entries_.size();
    for (auto at = entries_.end(); left > 0 && more(); --left) {
      const auto seen = std::prev(at);
      switch (fate_of(seen->second)) {
        case Fate::kKeep:
          at = seen;
          break;
        case Fate::kUse:
          entries_.splice(entries_.begin(), entries_, seen);
          break;
        case Fate::kDrop:
          by_key_.erase(seen->first);
          entries_.erase(seen);
          break;
      }
    }
  }
  void Clear() {
    by_key_.clear();
    entries_.clear();
  }

  std::size_t size() const { return entries_.size(); }

 private:
  using Entries = std::list<std::pair<Key, Value>>;  // the most recently used one first

  Entries entries_;
  absl::flat_hash_map<Key, typename Entries::iterator> by_key_;
};

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
