#include "server/raster/raster_cache.h"

#include <utility>

namespace thalweg::raster {
namespace {

// List and map nodes, strings and count.
constexpr std::size_t kEntryOverheadBytes = 320;

}  // namespace

std::size_t RasterCache::CostOf(const Entry& entry) {
  return entry.bytes->capacity() + 2 * entry.identity.capacity() + kEntryOverheadBytes;
}

RasterBytes RasterCache::Find(const std::string& identity) {
  const std::lock_guard lock(mutex_);
  const auto found = by_identity_.find(identity);
  if (found == by_identity_.end()) {
    ++stats_.misses;
    return nullptr;
  }
  ++stats_.hits;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->bytes;
}

void RasterCache::Insert(const std::string& identity, RasterBytes bytes) {
  const std::lock_guard lock(mutex_);
  Entry entry{identity, std::move(bytes)};
  const std::size_t cost = CostOf(entry);
  if (cost > budget_bytes_ || by_identity_.contains(identity)) return;
  while (stats_.bytes + cost > budget_bytes_) {
    const Entry& last = entries_.back();
    stats_.bytes -= CostOf(last);
    ++stats_.evictions;
    by_identity_.erase(last.identity);
    entries_.pop_back();
  }
  stats_.bytes += cost;
  entries_.push_front(std::move(entry));
  by_identity_.emplace(identity, entries_.begin());
}

RasterCacheStats RasterCache::stats() const {
  const std::lock_guard lock(mutex_);
  RasterCacheStats stats = stats_;
  stats.rasters = entries_.size();
  return stats;
}

}  // namespace thalweg::raster
