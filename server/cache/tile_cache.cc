#include "server/cache/tile_cache.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "absl/hash/hash.h"

namespace thalweg::cache {
namespace {

constexpr std::size_t kMaxShards = 16;
// A shard holds dozens of the largest tiles, or its least recently used one would seldom be old.
constexpr std::size_t kLeastShardBytes = std::size_t{8} << 20;

std::size_t CountShards(std::size_t budget_bytes) {
  return std::bit_floor(std::clamp<std::size_t>(budget_bytes / kLeastShardBytes, 1, kMaxShards));
}

}  // namespace

// An LRU list of its own under a lock of its own.
class TileCache::Shard {
 public:
  explicit Shard(std::size_t budget_bytes) : budget_bytes_(budget_bytes) {}

  TileBytes Find(const TileId& id) {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(id);
    if (found == places_.end()) {
      ++stats_.misses;
      return nullptr;
    }
    ++stats_.hits;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->bytes;
  }

  void Insert(const TileId& id, TileBytes bytes) {
    const std::size_t cost = Cost(bytes);
    if (cost > budget_bytes_) return;
    const std::lock_guard lock(mutex_);
    // Whoever computed it again got the same bytes.
    if (places_.contains(id)) return;
    while (stats_.bytes + cost > budget_bytes_) EvictOldest();
    entries_.push_front({id, std::move(bytes)});
    places_.emplace(id, entries_.begin());
    stats_.bytes += cost;
    ++stats_.tiles;
  }

  TileCacheStats stats() const {
    const std::lock_guard lock(mutex_);
    return stats_;
  }

 private:
  struct Entry {
    TileId id;
    TileBytes bytes;
  };

  static std::size_t Cost(const TileBytes& bytes) {
    return bytes->capacity() + kEntryOverheadBytes;
  }

  void EvictOldest() {
    const Entry& oldest = entries_.back();
    stats_.bytes -= Cost(oldest.bytes);
    --stats_.tiles;
    ++stats_.evictions;
    places_.erase(oldest.id);
    entries_.pop_back();
  }

  const std::size_t budget_bytes_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // the most recently used one first
  absl::flat_hash_map<TileId, std::list<Entry>::iterator> places_;
  TileCacheStats stats_;
};

TileCache::TileCache(std::size_t budget_bytes) : budget_bytes_(budget_bytes) {
  const std::size_t count = CountShards(budget_bytes);
  for (std::size_t k = 0; k < count; ++k) {
    shards_.push_back(std::make_unique<Shard>(budget_bytes / count));
  }
}

TileCache::~TileCache() = default;

TileBytes TileCache::Find(const TileId& id) { return ShardOf(id).Find(id); }

void TileCache::Insert(const TileId& id, TileBytes bytes) {
  ShardOf(id).Insert(id, std::move(bytes));
}

TileCacheStats TileCache::stats() const {
  TileCacheStats sum;
  for (const auto& shard : shards_) {
    const TileCacheStats one = shard->stats();
    sum.hits += one.hits;
    sum.misses += one.misses;
    sum.evictions += one.evictions;
    sum.tiles += one.tiles;
    sum.bytes += one.bytes;
  }
  return sum;
}

TileCache::Shard& TileCache::ShardOf(const TileId& id) {
  // The upper bits: the shard's own map uses the lower ones of the same hash.
  const std::size_t hash = absl::HashOf(id);
  return *shards_[(hash >> 48) % shards_.size()];
}

}  // namespace thalweg::cache
