// The finished blocks that are kept on the device. The least recently used are dropped first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "server/backend/backend.h"
#include "server/sharing/lru_cache.h"
#include "server/world/block.h"

namespace thalweg::field {

using BlockPtr = std::shared_ptr<const backend::Block>;

// Names a block of any world.
struct BlockId {
  std::string world;  // World::id()
  world::BlockKey key;

  friend bool operator==(const BlockId&, const BlockId&) = default;

  template <typename H>
  friend H AbslHashValue(H h, const BlockId& id) {
    return H::combine(std::move(h), id.world, id.key);
  }
};

// A block that others hold too is in use: dropping it would free nothing, so it stays and is
// counted. The first Trim after its release may drop it. Not thread-safe.
class BlockStore {
 public:
  explicit BlockStore(std::size_t budget_bytes) : budget_bytes_(budget_bytes) {}

  // The block with this id, which becomes the most recently used one; null if it is not kept.
  BlockPtr Find(const BlockId& id);
  // Keeps a block under one or more ids. Other blocks lose these ids; a block that has none left is
  // dropped.
  void Insert(std::vector<BlockId> ids, BlockPtr block);
  // Drops blocks that are not in use until the rest fits the budget.
  void Trim();
  void Clear();

  std::size_t bytes() const { return bytes_; }
  std::size_t size() const { return entries_.size(); }
  // How many blocks were dropped to keep the budget.
  std::uint64_t evicted() const { return evicted_; }

 private:
  struct Entry {
    std::vector<BlockId> ids;
    BlockPtr block;
    std::size_t bytes;
  };

  // Forgets what an entry that is dropped has.
  void Forget(const Entry& entry);

  std::size_t budget_bytes_;
  std::size_t bytes_ = 0;
  std::uint64_t evicted_ = 0;
  std::uint64_t next_number_ = 0;
  sharing::LruList<std::uint64_t, Entry> entries_;  // by their numbers
  absl::flat_hash_map<BlockId, std::uint64_t> numbers_;
};

}  // namespace thalweg::field
