// Tiles that failed a moment ago, and are left alone for a while.
#pragma once

#include <chrono>
#include <cstddef>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "proto/wire/tile_key.h"

namespace thalweg::session {

// The max number of tiles that are left alone at a time. One more is tried again with the next
// plan.
inline constexpr std::size_t kMaxFailedTiles = 16'384;

// Not thread-safe.
class FailedTiles {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // Leaves a tile alone until then.
  void Add(const wire::TileKey& key, TimePoint until, TimePoint now);
  // Whether a tile is still to be left alone.
  bool Holds(const wire::TileKey& key, TimePoint now) const;
  void Remove(const wire::TileKey& key) { until_.erase(key); }

  // How many of those that failed the condition holds for.
  std::size_t Count(absl::FunctionRef<bool(const wire::TileKey&)> condition) const;
  std::size_t size() const { return until_.size(); }

 private:
  absl::flat_hash_map<wire::TileKey, TimePoint> until_;
  // When full, it is searched for tiles whose time has come no sooner than this.
  TimePoint search_at_;
};

}  // namespace thalweg::session
