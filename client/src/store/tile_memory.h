// Decoded tiles in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "proto/wire/tile_key.h"
#include "thalweg/tile.h"

namespace thalweg {

// Tiles by key, limited by the bytes of their planes. Pinned tiles stay; of the others the least
// recently pinned goes first. Thread-safe.
class TileMemory {
 public:
  explicit TileMemory(std::size_t budget_bytes) : budget_bytes_(budget_bytes) {}

  // Adds a tile, or replaces the one with its key. Evicts nothing.
  void Put(std::shared_ptr<const Tile> tile);

  // Returns the tile, or null.
  std::shared_ptr<const Tile> Get(const wire::TileKey& key) const;

  bool Contains(const wire::TileKey& key) const;

  // Pins those of these tiles that are there, and no others.
  void Pin(const std::vector<wire::TileKey>& keys);

  // Removes unpinned tiles until the rest fits into the budget. Returns the removed tiles' keys.
  std::vector<wire::TileKey> Evict();

  void Clear();

  std::size_t bytes() const;
  std::size_t size() const;

  // Returns the bytes of a tile's planes.
  static std::size_t BytesOf(const Tile& tile);

 private:
  struct Held {
    std::shared_ptr<const Tile> tile;
    // The number of the call of Pin at which it was last pinned or put.
    std::uint64_t turn = 0;
  };

  const std::size_t budget_bytes_;
  mutable std::shared_mutex mutex_;
  absl::flat_hash_map<wire::TileKey, Held> tiles_;
  std::size_t bytes_ = 0;
  std::uint64_t turn_ = 1;
};

}  // namespace thalweg
