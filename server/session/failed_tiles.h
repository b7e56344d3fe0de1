// Tiles that failed a moment ago and are not asked for again for a while.
#pragma once

#include <chrono>
#include <cstddef>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "proto/wire/tile_key.h"

namespace thalweg::session {

// The max number of such tiles. If more fail, the next plan tries them again at once.
inline constexpr std::size_t kMaxFailedTiles = 16'384;

// Not thread-safe.
class FailedTiles {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // Holds a tile back until this time.
  void Add(const wire::TileKey& key, TimePoint until, TimePoint now);
  // Whether a tile is still held back.
  bool Holds(const wire::TileKey& key, TimePoint now) const;
  void Remove(const wire::TileKey& key) { until_.erase(key); }

  // How many of the tiles meet the condition.
  std::size_t Count(absl::FunctionRef<bool(const wire::TileKey&)> condition) const;
  std::size_t size() const { return until_.size(); }

 private:
  absl::flat_hash_map<wire::TileKey, TimePoint> until_;
  // When the table is full, tiles whose time is over are searched for only after this time.
  TimePoint search_at_;
};

}  // namespace thalweg::session
