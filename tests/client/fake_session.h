// The server's side of sessions, in a test. It chooses a view's levels like the server, obeys
// credit, and has faults that tests set.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "proto/geometry/surface.h"
#include "proto/wire/tile_key.h"
#include "thalweg/v1/terrain.grpc.pb.h"

namespace thalweg::client_test {

// The ground of session tiles in 1/65,536 m, on the level's lattice. Ridges of some kilometres are
// the same at every level; each level adds its own roughness.
std::int32_t GroundAt(const lod::WorldGrid& grid, int level, std::int64_t x, std::int64_t y);

// A tile of this ground, as sessions send it. On a planet, a vertex of two faces has the height of
// the lower face.
v1::Tile MakeGroundTile(const lod::WorldGrid& grid, const std::string& world_id,
                        const wire::TileKey& key);

// The faults of sessions. Each number counts down.
struct SessionFaults {
  // Sessions that end as UNAVAILABLE after `tiles_before_break` tiles.
  std::atomic<int> broken = 0;
  std::atomic<int> tiles_before_break = 0;
  // Sessions that send nothing after they are open.
  std::atomic<int> silent = 0;
  // Sessions that are refused as RESOURCE_EXHAUSTED, with a retry delay.
  std::atomic<int> refused = 0;
  std::atomic<int> refused_for_ms = 1;
  // Tiles that fail, with a retry delay. A changed delay counts for tiles that fail after the
  // change.
  std::atomic<int> failed_tiles = 0;
  std::atomic<int> failed_for_ms = 1;
  // Tiles whose bytes are not a layer.
  std::atomic<int> corrupt_tiles = 0;
};

// Counts over all sessions.
struct SessionLog {
  int sessions = 0;
  int refused = 0;
  int views = 0;
  std::uint64_t had = 0;
  std::uint64_t dropped = 0;
  std::uint64_t unchanged = 0;
  std::uint64_t wanted = 0;
  std::uint64_t bytes_granted = 0;
  std::uint64_t bytes_sent = 0;
  // How often each tile was sent.
  std::map<wire::TileKey, int> sent;
};

// Answers sessions of one world. Thread-safe.
class FakeSessions {
 public:
  using Stream = grpc::ServerReaderWriter<v1::SessionResponse, v1::SessionRequest>;

  FakeSessions(const lod::WorldGrid& grid, std::string world_id)
      : grid_(grid), world_id_(std::move(world_id)) {}

  // One session, from its first message to its end.
  grpc::Status Run(grpc::ServerContext* context, Stream* stream);

  SessionFaults faults;
  // If it is set, it changes responses before they are sent.
  std::function<void(v1::SessionResponse&)> lie;

  // While a script lives, `say` sends all responses of a session after `opened`, until it returns.
  // It may use objects that were made before the script: the destructor ends the sessions and
  // waits for `say`.
  class Script {
   public:
    Script(FakeSessions& sessions, std::function<void(Stream*)> say);
    ~Script();
    Script(const Script&) = delete;
    Script& operator=(const Script&) = delete;

   private:
    FakeSessions& sessions_;
  };

  SessionLog log() const;
  // From now on, sessions have a world with this id.
  void SetWorldId(const std::string& world_id);
  // The grid of the sessions' world. Must be called before the first session.
  void SetGrid(const lod::WorldGrid& grid) { grid_ = grid; }
  // Ends all open sessions.
  void BreakAll();

 private:
  class Conversation;

  lod::WorldGrid grid_;
  mutable std::mutex mutex_;
  std::string world_id_;
  SessionLog log_;
  std::set<grpc::ServerContext*> contexts_;
  std::function<void(Stream*)> script_;
  int scripts_running_ = 0;
  std::condition_variable script_ended_;
};

}  // namespace thalweg::client_test
