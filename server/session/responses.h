// A session's responses, as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "proto/lod/selection.h"
#include "proto/wire/tile_key.h"
#include "server/cache/tile_id.h"
#include "server/world/world.h"

namespace thalweg::session {

// A response to write. With a tile, the response's bytes are head followed by the tile's.
struct Outgoing {
  std::string head;
  cache::TileBytes tile = nullptr;
};

Outgoing OpenedResponse(const world::World& world, const lod::Grid& grid);
Outgoing TileResponse(cache::TileBytes tile);
Outgoing UnchangedResponse(const wire::TileKey& key);
Outgoing FailedResponse(const wire::TileKey& key, const absl::Status& status);
// Settled: the number of tiles that the view needs, and of those that failed.
Outgoing SettledResponse(std::uint64_t view_id, std::size_t tiles, std::size_t failed);

}  // namespace thalweg::session
