// A cache that is slower than memory and may fail.
#pragma once

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "server/cache/tile_cache.h"

namespace thalweg::cache {

enum class LoadOutcome {
  kHit,
  kMiss,
  // The store had a record, but it was damaged or not made with this server's keys.
  kBadRecord,
  // The store was asked and failed.
  kError,
  // The store was not asked, since it failed lately.
  kSkipped,
};

struct LoadResult {
  LoadOutcome outcome = LoadOutcome::kMiss;
  // Null unless it is a hit.
  TileBytes bytes;
};

enum class SaveOutcome {
  kSaved,
  // The store does not keep tiles of this size.
  kTooLarge,
  kError,
  // The store was not asked, since it failed lately.
  kSkipped,
};

// Thread-safe. Load and Save may wait for a disk or another machine; callers that must not wait use
// a BackgroundStore. Load returns the tile as it was saved, or none.
class TileStore {
 public:
  virtual ~TileStore() = default;

  // The store's name in messages, such as "disk cache '/var/cache/thalweg'".
  virtual const std::string& name() const = 0;

  virtual LoadResult Load(const TileId& id) = 0;
  virtual SaveOutcome Save(const TileId& id, const TileBytes& bytes) = 0;

  // The bytes that it holds; 0 if this server can't know.
  virtual std::size_t bytes() const = 0;
  // OK while it works, else why it does not work, or works only in part.
  virtual absl::Status health() const = 0;
};

}  // namespace thalweg::cache
