#include "server/raster/raster_cache.h"

#include <utility>

namespace thalweg::raster {
namespace {

// List and map nodes, strings and count.
constexpr std::size_t kEntryOverheadBytes = 320;

}  // namespace

RasterBytes RasterCache::Find(const std::string& identity) { return rasters_.Find(identity); }

void RasterCache::Insert(const std::string& identity, RasterBytes bytes) {
  const std::size_t cost = bytes->capacity() + 2 * identity.capacity() + kEntryOverheadBytes;
  rasters_.Insert(identity, std::move(bytes), cost);
}

RasterCacheStats RasterCache::stats() const {
  const cache::LruStats stats = rasters_.stats();
  return {.hits = stats.hits,
          .misses = stats.misses,
          .evictions = stats.evictions,
          .rasters = stats.entries,
          .bytes = stats.bytes};
}

}  // namespace thalweg::raster
