// How often tiles were there before a camera came to need them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/container/flat_hash_set.h"
#include "proto/lod/drawable.h"
#include "proto/lod/selection.h"

namespace thalweg {

// A tile comes to be needed when a picture first needs it: to be drawn, or so that others can be
// drawn. It counts once, and again only after it has left memory. Not thread-safe.
class NeededTiles {
 public:
  // A choice was made.
  void Need(const lod::Selection& selection, lod::IsLoaded is_loaded);
  // The tile has left memory.
  void Forget(const wire::TileKey& key) { seen_.erase(key); }
  // Forgets all tiles, but not the counts.
  void Clear() { seen_.clear(); }

  // Tiles that came to be needed, and how many of them were in memory already.
  std::uint64_t needed() const { return needed_; }
  std::uint64_t in_time() const { return in_time_; }
  // Tiles that are remembered.
  std::size_t size() const { return seen_.size(); }

 private:
  absl::flat_hash_set<wire::TileKey> seen_;
  std::uint64_t needed_ = 0;
  std::uint64_t in_time_ = 0;
};

}  // namespace thalweg
