// Finished rasters, kept in memory up to a number of bytes; the least recently used ones make room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"

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
  explicit RasterCache(std::size_t budget_bytes) : budget_bytes_(budget_bytes) {}

  // By its identity; null if it is not here.
  RasterBytes Find(const std::string& identity);
  void Insert(const std::string& identity, RasterBytes bytes);

  RasterCacheStats stats() const;

 private:
  struct Entry {
    std::string identity;
    RasterBytes bytes;
  };
  static std::size_t CostOf(const Entry& entry);

  const std::size_t budget_bytes_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // the most recently used one first
  absl::flat_hash_map<std::string, std::list<Entry>::iterator> by_identity_;
  RasterCacheStats stats_;
};

}  // namespace thalweg::raster
