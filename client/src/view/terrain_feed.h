// Supplies a view: loads tiles from server and disk into memory, chooses those that the camera
// needs, and asks for missing ones.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "client/src/connection/transport.h"
#include "client/src/contract/checked_response.h"
#include "client/src/session/resumed_session.h"
#include "client/src/session/session_rules.h"
#include "client/src/store/tile_folder.h"
#include "client/src/store/tile_memory.h"
#include "client/src/view/camera_planner.h"
#include "client/src/view/needed_tiles.h"
#include "client/src/view/view_front.h"
#include "thalweg/terrain_view.h"

namespace thalweg {

// The parts that a feed is made of.
struct FeedParts {
  ResumedSession::Connect connect;
  Backoff backoff;
  // How long a session may be silent while it owes an answer.
  std::chrono::milliseconds silence;
  std::unique_ptr<TileFolder> folder;  // null: none
};

// The session's threads and the disk's thread call it; its own thread chooses tiles. One lock
// guards their shared state. The memory and the front have locks of their own, so that frames never
// wait for that lock.
class TerrainFeed final : public SessionListener {
 public:
  // `front` must outlive this object.
  TerrainFeed(const TerrainViewOptions& options, const WorldInfo& world, FeedParts parts,
              ViewFront& front);
  ~TerrainFeed() override;
  TerrainFeed(const TerrainFeed&) = delete;
  TerrainFeed& operator=(const TerrainFeed&) = delete;

  // The front's camera has changed.
  void CameraChanged() { replan_.Wake(); }

  const TileMemory& memory() const { return memory_; }
  TerrainStatistics Statistics() const;
  absl::Status status() const;

  absl::Status OnOpened(const v1::SessionOpened& opened) override;
  absl::Status OnResponse(const v1::SessionResponse& response) override;
  void OnBroken(const absl::Status& status, bool final) override;

 private:
  using Clock = std::chrono::steady_clock;

  // The lock must be held for all of these.
  void AdoptWorld(const std::string& id, const lod::WorldGrid& grid);
  // Sends to the server if a session is open.
  void Send(v1::SessionRequest request);
  // Grants the used credit again.
  void GrantUsed();
  // The same if there is room for more. Otherwise the server waits until the next choice of tiles
  // has dropped some that are not needed.
  void GrantIfRoom();
  // Counts the credit that a tile used, and grants more if there is room.
  void UseCredit(const v1::Tile& message);
  // Counts a tile that arrived. True if it is already in memory.
  bool CountTile(const v1::Tile& message);
  void OnUnchanged(const wire::TileKey& key);
  void OnFailed(const v1::TileFailed& failed);
  void OnSettled(const v1::ViewSettled& settled);
  void Keep(std::shared_ptr<const Tile> tile, const FiledTile& filed, TileSource source);
  void Forget(const std::vector<wire::TileKey>& keys);
  void ReadFromDisk(KnownTile& known);
  // Does not ask for the tile until the delay is over.
  void PutOff(const wire::TileKey& key, std::chrono::milliseconds delay);

  // The lock must not be held.
  void OnTile(const v1::Tile& message);
  void OnRead(const FiledTile& filed, absl::StatusOr<v1::Tile> message);
  void OnWritten(const FiledTile& filed, const absl::Status& status);

  // Only on the thread that chooses.
  void PlanLoop();
  void Plan(const NumberedCamera& camera);
  void Publish(const NumberedCamera& camera, const CameraPlan& plan);
  void NoteMissing(const CameraPlan& plan);
  void SendView(const NumberedCamera& camera, const CameraPlan& plan);
  void AskForMissing(const NumberedCamera& camera, const CameraPlan& plan);
  void ForgetSuperfluous();
  void BreakIfSilent();

  const TerrainViewOptions options_;
  const TileForm form_;
  const std::chrono::milliseconds silence_;
  ViewFront& front_;
  TileMemory memory_;

  ReplanSignal replan_;

  mutable std::mutex mutex_;
  std::string world_id_;  // in hexadecimal
  lod::WorldGrid grid_;
  KnownTiles known_;
  CameraPlanner planner_;
  GrantedCredit credit_;
  SessionRules rules_;
  NeededTiles needed_;
  TerrainStatistics statistics_;
  absl::Status ended_because_;
  // Since when each missing tile has been wanted.
  absl::flat_hash_map<wire::TileKey, Clock::time_point> missing_;
  PutOffTiles failed_;
  std::chrono::milliseconds retry_pause_;

  // The last view that was sent, and whether the server has answered all of it.
  bool opened_ = false;
  bool ever_opened_ = false;
  std::uint64_t view_id_ = 0;
  std::optional<std::uint64_t> sent_camera_;
  double sent_scale_ = 1;
  bool sent_room_ahead_ = true;
  bool settled_ = false;
  // The tiles asked for by name since the last view.
  absl::flat_hash_set<wire::TileKey> asked_for_;
  Clock::time_point sent_at_;
  Clock::time_point last_heard_;

  // In this order: each may call the ones above until it is destroyed.
  std::unique_ptr<DiskThread> disk_;
  std::unique_ptr<ResumedSession> session_;
  std::thread planning_;
};

}  // namespace thalweg
