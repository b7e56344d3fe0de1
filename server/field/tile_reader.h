// Cuts tiles out of finished blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "proto/wire/tile_key.h"
#include "server/backend/backend.h"
#include "server/field/field.h"
#include "server/world/block.h"

namespace thalweg::field {

// The requests whose blocks are finished, and whose tiles wait to be read. Reads go by priority,
// then by arrival. The reads of a client that has no room for values are held back, and others
// pass. Not thread-safe.
class WaitingReads {
 public:
  using Id = Field::RequestId;

  void Add(Priority priority, Id id, std::uint64_t client);
  // Removes a read; does nothing if it does not wait.
  void Remove(Priority priority, Id id, std::uint64_t client);
  void Clear();

  // The priority of the next read; empty if none waits, or all are held back.
  std::optional<Priority> Best() const;
  // Takes the next reads, at most `max`, all of the best priority. A read is taken if it fits;
  // otherwise its client is held back.
  std::vector<Id> Take(std::size_t max, absl::FunctionRef<bool(Id)> fits);
  // Lets those that are held back try again.
  void Release();
  bool HoldsBack() const { return !held_back_.empty(); }

 private:
  using Place = std::pair<Priority, Id>;

  // Adds a client's next read to those that may be taken, or removes it.
  void Enter(std::uint64_t client);
  void Leave(std::uint64_t client);

  absl::flat_hash_map<std::uint64_t, std::set<Place>> waiting_;
  // The next read of each client that is not held back.
  std::set<std::pair<Place, std::uint64_t>> next_;
  absl::flat_hash_set<std::uint64_t> held_back_;
};

// The block that a tile lies in; blocks have this many cells in a row: a power of two, 256 or more.
world::BlockKey BlockOf(const wire::TileKey& tile, int block_cells);

// A tile to read: its layers, and `margin` vertices around it, from 0 to the block's apron.
struct TileRead {
  std::shared_ptr<const backend::Block> block;
  wire::TileKey key;
  std::vector<backend::Layer> layers;
  int margin = 0;
  // The index of the block's window that the tile lies in.
  int window = 0;
};

// Copies tiles from their blocks, all in one transfer. Errors are the backend's.
absl::StatusOr<std::vector<TileValues>> ReadTiles(backend::Backend& backend,
                                                  std::span<const TileRead> reads);

}  // namespace thalweg::field
