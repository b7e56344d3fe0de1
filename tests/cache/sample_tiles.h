// Tiles for caches, and a check that caches give back exactly these.
#pragma once

#include <cstdint>
#include <string>

#include "server/cache/tile_record.h"
#include "server/cache/tile_store.h"

namespace thalweg::cache {

inline TileId SampleId(std::int64_t n) {
  return {.world = {0x1234567890abcdefU, 42}, .key = {0, 3, n, -n}, .layers = 2, .precision = 1};
}

// The key that the caches of tests share.
MacKeys SampleKeys();
// Another key.
MacKeys OtherKeys();

// The bytes of tile n: incompressible, with a length and contents that no other tile has.
TileBytes SampleTile(std::int64_t n, std::size_t min_size = 20'000);

// How many of the sample tiles 0 to count - 1 a store gives back.
struct Inventory {
  int right = 0;
  int wrong = 0;
  int missing = 0;
};
Inventory TakeInventory(TileStore& store, int count, std::size_t min_size = 20'000);

}  // namespace thalweg::cache
