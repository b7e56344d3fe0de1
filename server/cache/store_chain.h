// The stores behind the memory cache. They are asked one after the other, the fastest first.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "server/cache/background_store.h"

namespace thalweg::cache {

// Thread-safe. No call waits.
class StoreChain {
 public:
  using Done = BackgroundStore::Done;

  // stores: may be empty; then nothing is found.
  explicit StoreChain(std::vector<std::unique_ptr<BackgroundStore>> stores);
  // Stops every store.
  ~StoreChain();

  StoreChain(const StoreChain&) = delete;
  StoreChain& operator=(const StoreChain&) = delete;

  // Calls `done` with the tile of the first store that has it, or none. The stores that were asked
  // before that one get it too. `done` is called as by BackgroundStore::Load.
  void Load(const TileId& id, Done done);

  // Saves the tile in every store.
  void Save(const TileId& id, const TileBytes& bytes);

  const std::vector<std::unique_ptr<BackgroundStore>>& stores() const { return stores_; }

 private:
  void LoadFrom(std::size_t n, const TileId& id, Done done);

  const std::vector<std::unique_ptr<BackgroundStore>> stores_;
};

}  // namespace thalweg::cache
