// Finished tiles in memory, up to a number of bytes. A tile is a pure function of its id, so an
// entry is never wrong or old. The least recently used tiles are dropped first.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "server/cache/finished_tile.h"
#include "server/cache/tile_id.h"
#include "server/sharing/lru_cache.h"

namespace thalweg::cache {

// Thread-safe. Split into shards with a lock each, so that callers seldom wait for each other.
class TileCache {
 public:
  // The cost of an entry besides its string's capacity: list and map nodes, string and count.
  static constexpr std::size_t kEntryOverheadBytes = 256;

  // budget_bytes: 0 keeps nothing.
  explicit TileCache(std::size_t budget_bytes);

  // The tile, which becomes the most recently used one; none if it is not kept.
  FinishedTile Find(const TileId& id);
  // Keeps a tile, and drops others until it fits. A tile that exceeds a shard's part of the budget
  // is not kept.
  void Insert(const TileId& id, FinishedTile tile);

  sharing::LruStats stats() const;
  std::size_t budget_bytes() const { return budget_bytes_; }

 private:
  using Shard = sharing::LruCache<TileId, FinishedTile>;

  Shard& ShardOf(const TileId& id);

  const std::size_t budget_bytes_;
  std::vector<std::unique_ptr<Shard>> shards_;
};

}  // namespace thalweg::cache
