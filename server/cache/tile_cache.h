// Finished tiles in memory, up to a number of bytes. A tile is a pure function of its id, so an
// entry is never wrong or old. The least recently used tiles are dropped first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proto/geometry/tile_tree.h"
#include "proto/wire/tile_key.h"
#include "proto/wire/tile_tag.h"
#include "server/sharing/lru_cache.h"

namespace thalweg::cache {

// Everything that decides a tile's bytes.
struct TileId {
  // The world's 16 bytes as two numbers.
  std::array<std::uint64_t, 2> world{};
  wire::TileKey key;
  // Bit n stands for the layer with number n in thalweg.v1.Layer.
  std::uint32_t layers = 0;
  // The number in thalweg.v1.Precision.
  std::uint32_t precision = 0;
  // The version of the encoding of values as bytes.
  std::uint32_t format = wire::kTileFormat;

  friend bool operator==(const TileId&, const TileId&) = default;

  template <typename H>
  friend H AbslHashValue(H h, const TileId& id) {
    return H::combine(std::move(h), id.world, id.key, id.layers, id.precision, id.format);
  }
};

// The first 16 bytes of a world's id, as in TileId; missing bytes are 0.
std::array<std::uint64_t, 2> WorldNumbers(std::string_view world_id);

// The 16 bytes of a world's id from its numbers.
std::string WorldIdOf(const std::array<std::uint64_t, 2>& numbers);

// A serialized thalweg.v1.Tile. Shared and immutable, so that it can be sent without a copy.
using TileBytes = std::shared_ptr<const std::string>;

// A finished tile: its bytes, and the facts that are known without parsing them.
struct FinishedTile {
  // Null if there is no tile.
  TileBytes bytes;
  // Facts of the heights; 0 if the tile has no heights.
  lod::TileFacts facts;

  std::size_t size() const { return bytes->size(); }
};

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
