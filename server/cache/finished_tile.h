// A tile that is done: the bytes that are sent, and what is known of it without reading them.
#pragma once

#include <cstddef>

#include "proto/lod/tile_facts.h"
#include "server/cache/tile_id.h"

namespace thalweg::cache {

struct FinishedTile {
  // Null: there is no tile.
  TileBytes bytes;
  // Of the heights: 0 where the tile has none.
  lod::TileFacts facts;

  std::size_t size() const { return bytes->size(); }
};

}  // namespace thalweg::cache
