// Metrics of the caches of tiles: memory, and the stores behind it.
#pragma once

#include "server/cache/store_chain.h"
#include "server/cache/tile_cache.h"
#include "server/metrics/families.h"

namespace thalweg::metrics {

// `stores` may be null. The stores must have different levels.
void AddCaches(const cache::TileCache& memory, const cache::StoreChain* stores, Families& families);

}  // namespace thalweg::metrics
