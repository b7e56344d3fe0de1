// Tiles to put in caches, and a check that caches give those and no others.
#pragma once

#include <cstdint>
#include <string>

#include "server/cache/mac.h"
#include "server/cache/tile_store.h"

namespace thalweg::cache {

inline TileId SampleId(std::int64_t n) {
  return {.world = {0x1234567890abcdefU, 42}, .key = {0, 3, n, -n}, .layers = 2, .precision = 1};
}

// The key that tests' caches share.
MacKeys SampleKeys();
// One of its own.
MacKeys OtherKeys();

// Bytes that no other tile has: incompressible, of a length of its own.
TileBytes SampleTile(std::int64_t n, std::size_t min_size = 20'000);

// The store's results for tiles 0 to count - 1 of this size.
struct Inventory {
  int right = 0;
  int wrong = 0;
  int missing = 0;
};
Inventory TakeInventory(TileStore& store, int count, std::size_t min_size = 20'000);

}  // namespace thalweg::cache
