// A cache that is slower than memory and can fail, as the server sees it.
#pragma once

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "server/cache/tile_id.h"

namespace thalweg::cache {

enum class LoadOutcome {
  kHit,
  kMiss,
  // There was a record, but it was not made with this server's keys, or it was damaged.
  kBadRecord,
  // The store was asked and failed.
  kError,
  // The store was not asked: it has failed lately.
  kSkipped,
};

struct LoadResult {
  LoadOutcome outcome = LoadOutcome::kMiss;
  // Null unless it is a hit.
  TileBytes bytes;
};

enum class SaveOutcome {
  kSaved,
  // The store keeps no tile of this size.
  kTooLarge,
  kError,
  // The store was not asked: it has failed lately.
  kSkipped,
};

// Thread-safe. Load and Save may wait for a disk or another machine: callers that must not wait use
// a BackgroundStore. Load gives the tile as it was saved, or nothing.
class TileStore {
 public:
  virtual ~TileStore() = default;

  // What messages call it, such as "disk cache '/var/cache/thalweg'".
  virtual const std::string& name() const = 0;

  virtual LoadResult Load(const TileId& id) = 0;
  virtual SaveOutcome Save(const TileId& id, const TileBytes& bytes) = 0;

  // The bytes that it keeps; 0 if this server can't know.
  virtual std::size_t bytes() const = 0;
  // OK while it works, or why it does not, wholly or in part.
  virtual absl::Status health() const = 0;
};

}  // namespace thalweg::cache
