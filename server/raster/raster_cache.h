// Finished rasters, kept in memory up to a number of bytes; the least recently used ones make room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "server/cache/lru_bytes.h"

namespace thalweg::raster {

using RasterBytes = std::shared_ptr<const std::string>;

struct RasterCacheStats {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;
  std::size_t rasters = 0;
  std::size_t bytes = 0;
};

// Thread-safe.
class RasterCache {
 public:
  // 0 bytes: nothing is kept.
  explicit RasterCache(std::size_t budget_bytes) : rasters_(budget_bytes) {}

  // By its identity; null if it is not here.
  RasterBytes Find(const std::string& identity);
  void Insert(const std::string& identity, RasterBytes bytes);

  RasterCacheStats stats() const;

 private:
  cache::LruBytes<std::string, RasterBytes> rasters_;
};

}  // namespace thalweg::raster
