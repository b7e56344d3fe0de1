// The finished blocks that are kept on the device: the least recently used go first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "server/backend/backend.h"
#include "server/world/block.h"

namespace thalweg::field {

using BlockPtr = std::shared_ptr<const backend::Block>;

// Names a block among all worlds'.
struct BlockId {
  std::string world;  // World::id()
  world::BlockKey key;

  friend bool operator==(const BlockId&, const BlockId&) = default;

  template <typename H>
  friend H AbslHashValue(H h, const BlockId& id) {
    return H::combine(std::move(h), id.world, id.key);
  }
};

// A block that something else holds too is in use: dropping it would free nothing, so it stays
// here, is counted, and goes with the first Trim after its release. Not thread-safe.
class BlockStore {
 public:
  explicit BlockStore(std::size_t budget_bytes) : budget_bytes_(budget_bytes) {}

  // The block of that name, now the most recently used one, or null.
  BlockPtr Find(const BlockId& id);
  // Keeps a block in place of any of these names, one or more. Those that keep another name stay.
  void Insert(std::vector<BlockId> ids, BlockPtr block);
  // Drops what is over the budget and not in use.
  void Trim();
  void Clear();

  std::size_t bytes() const { return bytes_; }
  std::size_t size() const { return entries_.size(); }
  // So many went to keep the budget.
  std::uint64_t evicted() const { return evicted_; }

 private:
  struct Entry {
    std::vector<BlockId> ids;
    BlockPtr block;
    std::size_t bytes;
  };
  using Entries = std::list<Entry>;

  void Erase(Entries::iterator entry);

  std::size_t budget_bytes_;
  std::size_t bytes_ = 0;
  std::uint64_t evicted_ = 0;
  Entries entries_;  // the most recently used first
  absl::flat_hash_map<BlockId, Entries::iterator> index_;
};

}  // namespace thalweg::field
