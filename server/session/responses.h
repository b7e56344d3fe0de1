// A session's responses, serialized.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "proto/lod/selection.h"
#include "proto/wire/tile_key.h"
#include "server/tile/tile_contents.h"
#include "server/world/world.h"

namespace thalweg::session {

// A response to write: the bytes of head, followed by the tile's, if there is one.
struct Outgoing {
  std::string head;
  tile::TileBytes tile = nullptr;
};

Outgoing OpenedResponse(const world::World& world, const lod::Grid& grid);
Outgoing TileResponse(tile::TileBytes tile);
Outgoing UnchangedResponse(const wire::TileKey& key);
Outgoing FailedResponse(const wire::TileKey& key, const absl::Status& status);
// Settled: how many tiles the view needs, and how many of them failed.
Outgoing SettledResponse(std::uint64_t view_id, std::size_t tiles, std::size_t failed);

}  // namespace thalweg::session
