// Values by key, in the order of their last use.
#pragma once

#include <cstddef>
#include <iterator>
#include <list>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace thalweg::sharing {

// Unbounded: its owner decides what goes. Not thread-safe.
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

}  // namespace thalweg::sharing
