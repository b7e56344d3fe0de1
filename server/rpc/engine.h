// What the handlers delegate to.
#pragma once

#include "server/access/access_control.h"
#include "server/rpc/call_record.h"
#include "server/session/session_counters.h"
#include "server/tile/tile_service.h"
#include "server/world/world_library.h"

namespace thalweg::rpc {

// Borrowed; everything in it outlives the server.
struct Engine {
  world::WorldLibrary* worlds = nullptr;
  tile::TileService* tiles = nullptr;
  // Null: everyone may do everything.
  access::AccessControl* access = nullptr;
  // Are told of every call.
  CallListeners listeners = {};
  // Null: sessions are not counted.
  session::SessionCounters* sessions = nullptr;
};

}  // namespace thalweg::rpc
