// A finished tile: its bytes, and the facts that are known without parsing them.
#pragma once

#include <cstddef>

#include "proto/lod/tile_facts.h"
#include "server/cache/tile_id.h"

namespace thalweg::cache {

struct FinishedTile {
  // Null if there is no tile.
  TileBytes bytes;
  // Facts of the heights; 0 if the tile has no heights.
  lod::TileFacts facts;

  std::size_t size() const { return bytes->size(); }
};

}  // namespace thalweg::cache
