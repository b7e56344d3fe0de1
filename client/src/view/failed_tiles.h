// Tiles that failed, and when each is to be asked for again.
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

  // Does not ask for a tile until then. Beyond kMaxFailed tiles, it is asked for with the next
  // view.
  void PutOff(const wire::TileKey& key, Time until) {
    constexpr std::size_t kMaxFailed = 65'536;
    if (tiles_.size() >= kMaxFailed && !tiles_.contains(key)) return;
    tiles_[key] = until;
    soonest_ = std::min(soonest_.value_or(until), until);
  }

  bool Contains(const wire::TileKey& key) const { return tiles_.contains(key); }
  void Remove(const wire::TileKey& key) { tiles_.erase(key); }
  void Clear() { tiles_.clear(); }

  // When the next tile may be due; nothing while there is none.
  std::optional<Time> soonest() const { return soonest_; }

  // Removes the tiles that are due. Whether there were any.
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
