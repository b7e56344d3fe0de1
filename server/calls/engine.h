// The objects that the handlers of calls delegate to, for gRPC and for HTTP.
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

// Not owned; all of it must outlive the servers.
struct Engine {
  world::WorldLibrary* worlds = nullptr;
  tile::TileService* tiles = nullptr;
  access::AccessControl* access = nullptr;
  // They get a report of every call.
  CallListeners listeners = {};
  session::SessionCounters* sessions = nullptr;
  Workers* workers = nullptr;
};

}  // namespace thalweg::calls
