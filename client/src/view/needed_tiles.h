// Counts how often tiles were in memory before a camera needed them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/container/flat_hash_set.h"
#include "proto/lod/drawable.h"
#include "proto/lod/selection.h"

namespace thalweg {

// A tile counts when a frame first needs it: to draw it, or to draw others. It counts again only
// after it has left memory. Not thread-safe.
class NeededTiles {
 public:
  // Counts the tiles of a new selection.
  void Need(const lod::Selection& selection, lod::IsLoaded is_loaded);
  // The tile has left memory.
  void Forget(const wire::TileKey& key) { seen_.erase(key); }
  // Forgets all tiles, but not the counts.
  void Clear() { seen_.clear(); }

  // Tiles that were needed, and how many of these were already in memory.
  std::uint64_t needed() const { return needed_; }
  std::uint64_t in_time() const { return in_time_; }
  // Returns how many tiles are remembered.
  std::size_t size() const { return seen_.size(); }

 private:
  absl::flat_hash_set<wire::TileKey> seen_;
  std::uint64_t needed_ = 0;
  std::uint64_t in_time_ = 0;
};

}  // namespace thalweg
