// Finished tiles, kept in memory up to a number of bytes. A tile is a pure function of its id, so
// an entry is never wrong and never grows old; the least recently used ones make room.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "proto/wire/tile_key.h"

namespace thalweg::cache {

// Everything that decides a tile's bytes.
struct TileId {
  // The world's 16 bytes, as two numbers.
  std::array<std::uint64_t, 2> world{};
  wire::TileKey key;
  // Bit n stands for the layer of number n in thalweg.v1.Layer.
  std::uint32_t layers = 0;
  // The number in thalweg.v1.Precision.
  std::uint32_t precision = 0;

  friend bool operator==(const TileId&, const TileId&) = default;

  template <typename H>
  friend H AbslHashValue(H h, const TileId& id) {
    return H::combine(std::move(h), id.world, id.key, id.layers, id.precision);
  }
};

// The first 16 bytes of a world's id as TileId has them; missing ones are 0.
std::array<std::uint64_t, 2> WorldNumbers(std::string_view world_id);

// A serialized thalweg.v1.Tile. Shared and immutable, so that it can be sent without a copy.
using TileBytes = std::shared_ptr<const std::string>;

struct TileCacheStats {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;
  std::size_t tiles = 0;
  std::size_t bytes = 0;
};

// Thread-safe. Split in shards with a lock each, so that hot callers seldom meet.
class TileCache {
 public:
  // What an entry costs beside the capacity of its string: list and map nodes, string and count.
  static constexpr std::size_t kEntryOverheadBytes = 256;

  // 0 bytes: nothing is kept.
  explicit TileCache(std::size_t budget_bytes);
  ~TileCache();

  TileCache(const TileCache&) = delete;
  TileCache& operator=(const TileCache&) = delete;

  // The tile, as the most recently used one now; null if it is not here.
  TileBytes Find(const TileId& id);
  // Keeps a tile; others go until it fits. One that exceeds a shard's part of the budget is not
  // kept.
  void Insert(const TileId& id, TileBytes bytes);

  TileCacheStats stats() const;
  std::size_t budget_bytes() const { return budget_bytes_; }

 private:
  class Shard;

  Shard& ShardOf(const TileId& id);

  const std::size_t budget_bytes_;
  std::vector<std::unique_ptr<Shard>> shards_;
};

}  // namespace thalweg::cache
