// The tiles that a server may consider present at the client: in memory or on disk.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "client/src/store/tile_file.h"
#include "client/src/store/tile_memory.h"
#include "thalweg/v1/session.pb.h"

namespace thalweg {

struct KnownTile {
  FiledTile tile;
  bool on_disk = false;
  // Whether it is being read from disk.
  bool reading = false;
};

// Known tiles by key. Not thread-safe.
class KnownTiles {
 public:
  KnownTile* Find(const wire::TileKey& key);
  const lod::TileFacts* FactsOf(const wire::TileKey& key) const;
  void Add(const FiledTile& tile, bool on_disk);
  void Remove(const wire::TileKey& key) { tiles_.erase(key); }
  void Clear() { tiles_.clear(); }
  std::size_t size() const { return tiles_.size(); }

  // Returns at most `max` tiles that are on disk but not in memory, in any order.
  std::vector<wire::TileKey> OnDiskAlone(std::size_t max, const TileMemory& memory) const;

  // Returns all tiles as messages, a few thousand in each.
  std::vector<v1::SessionRequest> HaveMessages() const;

 private:
  absl::flat_hash_map<wire::TileKey, KnownTile> tiles_;
};

// Adds one tile to such a message.
void AddHave(const FiledTile& tile, v1::HaveTiles& have);

// Returns messages that report tiles as dropped; none for no tiles.
std::vector<v1::SessionRequest> DropMessages(const std::vector<wire::TileKey>& keys);
// Returns messages that ask for tiles by name.
std::vector<v1::SessionRequest> WantMessages(const std::vector<wire::TileKey>& keys);

}  // namespace thalweg
