// A client of the call Session that flies over a world. It does not decode, draw or choose tiles,
// so that only the server is measured.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "proto/geometry/tile_box.h"
#include "proto/wire/tile_key.h"
#include "thalweg/v1/terrain.grpc.pb.h"

namespace thalweg::bench {

// A flight from (0, 0) out and back again, over and over.
struct Leg {
  double heading_rad = 0;  // clockwise from north
  double speed_m_s = 0;
  // How long the flight goes in one direction.
  double seconds = 0;
  double height_m = 0;  // above the datum

  // The camera's position and direction after a number of seconds.
  v1::View ViewAt(double seconds_flown) const;
  // A camera that stands still, this many seconds from (0, 0) on the way out.
  v1::View StandingAt(double seconds_out) const;
};

// A pilot's counts since the last call.
struct PilotLog {
  std::uint64_t tiles = 0;
  std::uint64_t failed = 0;
  std::uint64_t settled = 0;
  // The times from the want of a tile to its arrival.
  std::vector<double> latencies_ms;
};

// Thread-safe. Its call runs on gRPC's threads.
class Pilot : private grpc::ClientBidiReactor<v1::SessionRequest, v1::SessionResponse> {
 public:
  // Opens a session with credit for this many tiles at a time, which is renewed as they come.
  Pilot(const std::string& address, const std::string& world, std::uint32_t credit_tiles);
  // Cancels the call if it is not finished.
  ~Pilot() override;

  // Sends a view, which gets the next id.
  void Look(v1::View view);
  // Drops the tiles that are far behind, relative to their size.
  void DropBehind(double east_m, double south_m);
  // Drops one of the finest tiles and wants it again, and logs the time until it comes back. Does
  // nothing while the last such tile is still on its way.
  void Probe();
  // Waits until the last view is settled. False if the call ended or it takes longer.
  bool AwaitSettled(std::chrono::seconds timeout);
  PilotLog TakeLog();
  // The error that ended the call, if it ended.
  std::optional<grpc::Status> ended() const;

 private:
  using Clock = std::chrono::steady_clock;

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

  // The lock must be held for these.
  // Allows the call to end, since nothing more will be written.
  void Release();
  void Send(v1::SessionRequest request);
  void TakeTile(const wire::TileKey& key);

  std::unique_ptr<v1::TerrainService::Stub> stub_;
  grpc::ClientContext context_;
  const std::uint32_t credit_tiles_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<v1::SessionRequest> queue_;  // the first is being written
  v1::SessionResponse response_;          // of the read under way
  lod::WorldGrid grid_;
  std::uint64_t view_id_ = 0;
  std::uint64_t settled_id_ = 0;
  std::uint32_t to_grant_ = 0;
  absl::flat_hash_map<wire::TileKey, std::uint64_t> had_;  // with the order in which they came
  std::uint64_t arrivals_ = 0;
  std::optional<wire::TileKey> probed_;
  Clock::time_point probed_at_;
  PilotLog log_;
  bool released_ = false;
  std::optional<grpc::Status> ended_;
  std::promise<void> done_;
};

}  // namespace thalweg::bench
