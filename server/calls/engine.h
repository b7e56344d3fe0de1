// The objects that the handlers of calls delegate to, for gRPC and for HTTP.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "proto/wire/status_macros.h"
#include "server/access/access_control.h"
#include "server/calls/call_listener.h"
#include "server/sharing/room.h"
#include "server/sharing/threads.h"
#include "server/tile/tile_service.h"
#include "server/world/world_library.h"

namespace thalweg::session {
struct SessionCounters;
}  // namespace thalweg::session

namespace thalweg::calls {

// Threads with a bounded queue, for work that takes too long for the threads that receive calls.
// Thread-safe. Clients share the queue's places as sharing::QueueShares says: one client gets half
// of them, and another one is never refused because of it.
class SharedWorkers {
 public:
  explicit SharedWorkers(int threads) : threads_(threads) {}

  // Does a client's work on one of the threads, as WorkerPool::Post does. Or returns
  // RESOURCE_EXHAUSTED, with a delay for the next try, if too much of its work waits; then neither
  // function is called.
  template <typename Make, typename Done>
  absl::Status Run(std::uint64_t client, std::string_view operation, Make make, Done done) {
    THALWEG_RETURN_IF_ERROR(Enter(client));
    threads_.Post(
        client, operation,
        [this, client, make = std::move(make)]() mutable {
          Leave(client);
          return make();
        },
        std::move(done));
    return absl::OkStatus();
  }

  // The number of pieces of work that wait for a thread: of all clients.
  std::size_t waiting() const;

 private:
  absl::Status Enter(std::uint64_t client);
  void Leave(std::uint64_t client);

  mutable std::mutex mutex_;
  sharing::QueueShares waiting_;
  // Destroyed first, since its work uses the members above.
  sharing::WorkerPool threads_;
};

struct Workers {
  // Compile worlds for seeds that callers ask for.
  SharedWorkers compilers{2};
  // Creates and deletes worlds, one at a time. It may wait for a disk; the compilers never do.
  SharedWorkers keeper{1};
};

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
