#include "server/cache/store_chain.h"

#include <utility>

namespace thalweg::cache {

StoreChain::StoreChain(std::vector<std::unique_ptr<BackgroundStore>> stores)
    : stores_(std::move(stores)) {}

// All stores stop before the first one is destroyed, since their threads pass tiles to each other.
StoreChain::~StoreChain() {
  for (const auto& store : stores_) store->Stop();
}

void StoreChain::Load(const TileId& id, Done done) { LoadFrom(0, id, std::move(done)); }

void StoreChain::LoadFrom(std::size_t n, const TileId& id, Done done) {
  if (n == stores_.size()) return std::move(done)({});
  stores_[n]->Load(id, [this, n, id, done = std::move(done)](FinishedTile tile) mutable {
    if (tile.bytes == nullptr) return LoadFrom(n + 1, id, std::move(done));
    for (std::size_t k = 0; k < n; ++k) stores_[k]->Save(id, tile.bytes);
    std::move(done)(std::move(tile));
  });
}

void StoreChain::Save(const TileId& id, const TileBytes& bytes) {
  for (const auto& store : stores_) store->Save(id, bytes);
}

}  // namespace thalweg::cache
