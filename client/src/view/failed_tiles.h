// Tiles that failed, and when to ask for each again.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "proto/wire/tile_key.h"

namespace thalweg {

// Not thread-safe.
class FailedTiles {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Postpones a tile: it is not asked for until then. Beyond kMaxFailed tiles, a tile is asked for
  // again with the next view.
  void PutOff(const wire::TileKey& key, Time until) {
    constexpr std::size_t kMaxFailed = 65'536;
    if (tiles_.size() >= kMaxFailed && !tiles_.contains(key)) return;
    tiles_[key] = until;
    soonest_ = std::min(soonest_.value_or(until), until);
  }

  bool Contains(const wire::TileKey& key) const { return tiles_.contains(key); }
  void Remove(const wire::TileKey& key) { tiles_.erase(key); }
  void Clear() { tiles_.clear(); }

  // When the next tile may be due; nothing if no tile is postponed.
  std::optional<Time> soonest() const { return soonest_; }

  // Removes the tiles that are due. Returns whether there may have been any.
  bool TakeDue(Time now) {
    if (!soonest_ || now < *soonest_) return false;
    absl::erase_if(tiles_, [now](const auto& entry) { return entry.second <= now; });
    soonest_.reset();
    for (const auto& [key, at] : tiles_) soonest_ = std::min(soonest_.value_or(at), at);
    return true;
  }

 private:
  absl::flat_hash_map<wire::TileKey, Time> tiles_;
  std::optional<Time> soonest_;
};

}  // namespace thalweg
