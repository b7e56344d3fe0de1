// The tiles that the stores lacked a short while ago.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "server/cache/tile_cache.h"

namespace thalweg::tile {

// Refused callers ask again until there is room; this saves asking disks and other machines each
// time. Bounded: the oldest entries are dropped first. Not thread-safe.
class StoreMisses {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr std::size_t kMaxTiles = 16'384;
  // Short, since another server may share the tile meanwhile.
  static constexpr std::chrono::seconds kLifetime{10};

  explicit StoreMisses(std::function<Clock::time_point()> now = &Clock::now)
      : now_(std::move(now)) {}

  // Records that the stores do not have the tile now.
  void Add(const cache::TileId& id);
  // Whether the stores did not have it, less than the lifetime ago.
  bool Contains(const cache::TileId& id) const;
  // The stores have the tile now.
  void Remove(const cache::TileId& id) { added_.erase(id); }

  std::size_t size() const { return added_.size(); }

 private:
  struct Entry {
    cache::TileId id;
    Clock::time_point added;
  };

  // Removes the oldest entry of the order, and the tile if it has no later entry.
  void DropOldest();

  const std::function<Clock::time_point()> now_;
  absl::flat_hash_map<cache::TileId, Clock::time_point> added_;
  // The oldest is first. Some entries are of tiles that were removed or added again.
  std::deque<Entry> order_;
};

}  // namespace thalweg::tile
