// What the handlers of calls delegate to, however these travel.
#pragma once

#include "server/access/access_control.h"
#include "server/calls/call_listener.h"
#include "server/calls/workers.h"
#include "server/tile/tile_service.h"
#include "server/world/world_library.h"

namespace thalweg::session {
struct SessionCounters;
}  // namespace thalweg::session

namespace thalweg::calls {

// Borrowed; everything in it outlives the servers.
struct Engine {
  world::WorldLibrary* worlds = nullptr;
  tile::TileService* tiles = nullptr;
  access::AccessControl* access = nullptr;
  // Are told of every call.
  CallListeners listeners = {};
  session::SessionCounters* sessions = nullptr;
  Workers* workers = nullptr;
};

}  // namespace thalweg::calls
