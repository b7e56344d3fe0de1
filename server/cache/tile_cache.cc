#include "server/cache/tile_cache.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "absl/hash/hash.h"

namespace thalweg::cache {
namespace {

constexpr std::size_t kMaxShards = 16;
// A shard must hold dozens of the largest tiles. A smaller one would evict tiles that are soon used
// again.
constexpr std::size_t kMinShardBytes = std::size_t{8} << 20;

std::size_t CountShards(std::size_t budget_bytes) {
  return std::bit_floor(std::clamp<std::size_t>(budget_bytes / kMinShardBytes, 1, kMaxShards));
}

}  // namespace

std::array<std::uint64_t, 2> WorldNumbers(std::string_view world_id) {
  std::array<std::uint64_t, 2> numbers{};
  std::memcpy(numbers.data(), world_id.data(), std::min(world_id.size(), sizeof(numbers)));
  return numbers;
}

std::string WorldIdOf(const std::array<std::uint64_t, 2>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), sizeof(numbers)};
}

TileCache::TileCache(std::size_t budget_bytes) : budget_bytes_(budget_bytes) {
  const std::size_t count = CountShards(budget_bytes);
  for (std::size_t k = 0; k < count; ++k) {
    shards_.push_back(std::make_unique<Shard>(budget_bytes / count));
  }
}

FinishedTile TileCache::Find(const TileId& id) { return ShardOf(id).Find(id); }

void TileCache::Insert(const TileId& id, FinishedTile tile) {
  const std::size_t cost = tile.bytes->capacity() + kEntryOverheadBytes;
  ShardOf(id).Insert(id, std::move(tile), cost);
}

sharing::LruStats TileCache::stats() const {
  sharing::LruStats sum;
  for (const auto& shard : shards_) {
    const sharing::LruStats one = shard->stats();
    sum.hits += one.hits;
    sum.misses += one.misses;
    sum.evictions += one.evictions;
    sum.entries += one.entries;
    sum.cost += one.cost;
  }
  return sum;
}

TileCache::Shard& TileCache::ShardOf(const TileId& id) {
  // Uses the upper bits, since the shard's own map uses the lower bits of the same hash.
  const std::size_t hash = absl::HashOf(id);
  return *shards_[(hash >> 48) % shards_.size()];
}

}  // namespace thalweg::cache
