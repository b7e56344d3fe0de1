// The server's side of a session inside a test: views answered by the same choice of levels, credit
// obeyed, faults on demand.
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

#include "proto/lod/grid.h"
#include "proto/wire/tile_key.h"
#include "thalweg/v1/terrain.grpc.pb.h"

namespace thalweg::client_test {

// The ground of session tiles in 1/65,536 m: ridges of some kilometres that every level knows, and
// roughness of its own on each. On the level's lattice.
std::int32_t GroundAt(const lod::Grid& grid, int level, std::int64_t x, std::int64_t y);

// A tile of that ground, as sessions send it. On a planet its faces stand beside each other, and a
// vertex of two faces has the height that the lower one gives it.
v1::Tile MakeGroundTile(const lod::Grid& grid, const std::string& world_id,
                        const wire::TileKey& key);

// The faults of sessions. Each number counts down.
struct SessionFaults {
  // Sessions that break off as UNAVAILABLE after a number of tiles.
  std::atomic<int> broken = 0;
  std::atomic<int> tiles_before_break = 0;
  // Sessions that say nothing once they are open.
  std::atomic<int> silent = 0;
  // Sessions that are refused as RESOURCE_EXHAUSTED, to be opened again after a delay.
  std::atomic<int> refused = 0;
  std::atomic<int> refused_for_ms = 1;
  // Tiles that fail, to be asked for again after a delay; it holds for those that fail from then
  // on.
  std::atomic<int> failed_tiles = 0;
  std::atomic<int> failed_for_ms = 1;
  // Tiles that come with bytes that are no layer.
  std::atomic<int> corrupt_tiles = 0;
};

// The record of sessions.
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

  FakeSessions(const lod::Grid& grid, std::string world_id)
      : grid_(grid), world_id_(std::move(world_id)) {}

  // One session, from its first message to its end.
  grpc::Status Run(grpc::ServerContext* context, Stream* stream);

  SessionFaults faults;
  // Alters what is said on its way out, if it is set.
  std::function<void(v1::SessionResponse&)> lie;

  // Once a session is open, `say` says all that is said in it, until it returns, in place of what
  // is right. It may use what was made before: the end of this ends the sessions and waits for
  // `say`.
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
  // From now on sessions are of another world.
  void SetWorldId(const std::string& world_id);
  // Of worlds that are cut like this. Before there are any sessions.
  void SetGrid(const lod::Grid& grid) { grid_ = grid; }
  // Breaks the sessions that there are.
  void BreakAll();

 private:
  class Conversation;

  lod::Grid grid_;
  mutable std::mutex mutex_;
  std::string world_id_;
  SessionLog log_;
  std::set<grpc::ServerContext*> contexts_;
  std::function<void(Stream*)> script_;
  int scripts_running_ = 0;
  std::condition_variable script_ended_;
};

}  // namespace thalweg::client_test
