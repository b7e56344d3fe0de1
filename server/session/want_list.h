// Tiles that a client asked for by name.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <list>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "proto/wire/limits.h"
#include "proto/wire/tile_key.h"
#include "server/tile/tile_query.h"

namespace thalweg::session {

// The max number of wanted tiles, including refused ones whose answer is not sent yet.
inline constexpr std::size_t kMaxWants = wire::kMaxWantedTiles;

// Not thread-safe. It never holds more than kMaxWants keys.
class WantList {
 public:
  // Adds a tile behind others of the same priority. A tile that is already wanted keeps its
  // position, unless its priority is now more urgent. RESOURCE_EXHAUSTED beyond the max.
  absl::Status Add(const wire::TileKey& key, tile::Priority priority);
  // Adds a tile that the world does not have. TakeRefused returns it as often as it was named.
  // RESOURCE_EXHAUSTED as Add.
  absl::Status Refuse(const wire::TileKey& key);
  // Removes a tile that was cancelled, was sent or has failed.
  void Remove(const wire::TileKey& key);
  // Forgets all tiles, and the refused ones.
  void Clear();
  bool IsEmpty() const { return wanted_.empty(); }

  bool Has(const wire::TileKey& key) const { return wanted_.contains(key); }
  // The next tile of a priority that was not taken yet. It remains wanted.
  std::optional<wire::TileKey> Take(tile::Priority priority);
  // The next tile that was refused.
  std::optional<wire::TileKey> TakeRefused();

  // How many tiles are wanted; how many of them were not taken; how many were refused.
  std::size_t wanted() const { return wanted_.size(); }
  std::size_t queued() const;
  std::size_t refused() const { return refused_.size(); }

 private:
  static constexpr std::size_t kPriorities = 3;
  using Queue = std::list<wire::TileKey>;

  struct Entry {
    tile::Priority priority;
    bool queued = false;
    Queue::iterator at = {};  // its position in the queue
  };

  absl::Status CheckRoom() const;
  Queue& QueueOf(tile::Priority priority) { return queues_[static_cast<std::size_t>(priority)]; }
  void Unqueue(Entry& entry);

  std::array<Queue, kPriorities> queues_;
  absl::flat_hash_map<wire::TileKey, Entry> wanted_;
  std::deque<wire::TileKey> refused_;
};

}  // namespace thalweg::session
