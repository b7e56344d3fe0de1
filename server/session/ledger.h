// What a session's client has.
#pragma once

#include <cstddef>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "proto/lod/tile_facts.h"
#include "proto/wire/tile_key.h"

namespace thalweg::session {

// The most tiles that a session keeps account of: about 8 MB of them.
inline constexpr std::size_t kMostLedgerTiles = 131'072;

// Not thread-safe.
class Ledger {
 public:
  // The client says that it has kept a tile, and the tag is right: it will be told once.
  // RESOURCE_EXHAUSTED when that is one too many.
  absl::Status AddKept(const wire::TileKey& key, const lod::TileFacts& facts);
  // A tile is on its way to the client. RESOURCE_EXHAUSTED when that is one too many.
  absl::Status AddSent(const wire::TileKey& key, const lod::TileFacts& facts);
  // The client has dropped a tile.
  void Drop(const wire::TileKey& key) { tiles_.erase(key); }

  bool Has(const wire::TileKey& key) const { return tiles_.contains(key); }
  // The facts of a tile that the client has, else null.
  const lod::TileFacts* FactsOf(const wire::TileKey& key) const;
  // True the first time that a tile is needed which the client has kept from before.
  bool TakeUntold(const wire::TileKey& key);

  std::size_t size() const { return tiles_.size(); }

 private:
  struct Entry {
    lod::TileFacts facts;
    bool untold = false;
  };

  absl::Status Add(const wire::TileKey& key, const Entry& entry);

  absl::flat_hash_map<wire::TileKey, Entry> tiles_;
};

}  // namespace thalweg::session
