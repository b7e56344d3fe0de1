// What the handlers delegate to.
#pragma once

#include "server/rpc/call_gate.h"
#include "server/tile/tile_service.h"
#include "server/world/world_library.h"

namespace thalweg::rpc {

// Borrowed; everything in it outlives the server.
struct Engine {
  const world::WorldLibrary* worlds = nullptr;
  tile::TileService* tiles = nullptr;
};

}  // namespace thalweg::rpc
