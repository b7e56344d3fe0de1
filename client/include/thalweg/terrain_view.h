// SPDX-License-Identifier: Apache-2.0

// The terrain around a camera, for games and other programs that draw.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thalweg/camera.h"
#include "thalweg/drawn_tile.h"
#include "thalweg/export.h"
#include "thalweg/layer.h"
#include "thalweg/planet.h"
#include "thalweg/world_info.h"

namespace thalweg {

class Client;

// What a view fetches, and where it keeps it.
struct TerrainViewOptions {
  // The world's name, or its id in hexadecimal.
  std::string world = {};
  // The first plane of every tile is always the height.
  std::vector<Layer> layers = {Layer::kHeight};
  Precision precision = Precision::kLattice;
  // Max memory for decoded tiles, in bytes (264,196 for each tile and layer). If a camera needs
  // more than four fifths of it, the ground is coarser: see TerrainStatistics::tolerance_scale.
  // Tiles that only the program still holds are not counted.
  std::size_t memory_bytes = std::size_t{512} << 20;
  // A folder to keep tiles in, created if it does not exist; empty: none. Views and programs that
  // share it use each other's tiles, whichever server these came from. So a server that you don't
  // trust needs a folder of its own.
  std::string cache_folder = {};
  // Max size of that folder in bytes; the least recently used tiles are deleted first.
  std::uint64_t cache_bytes = std::uint64_t{2} << 30;
  // For how many seconds of flight ahead tiles are fetched: 0 to 60.
  double lookahead_s = 4;
  // Max tiles and bytes that the server sends before the view has taken them.
  std::uint32_t credit_tiles = 64;
  std::uint64_t credit_bytes = std::uint64_t{8} << 20;
};

// Counts since the view was opened, and its present state.
struct TerrainStatistics {
  bool connected = false;
  // How often an open connection was lost.
  std::uint64_t reconnects = 0;
  // Tiles from the server and the bytes of their messages; tiles that it did not send because the
  // view had them; tiles that it could not make.
  std::uint64_t tiles_received = 0;
  std::uint64_t wire_bytes = 0;
  std::uint64_t tiles_unchanged = 0;
  std::uint64_t tiles_failed = 0;
  // Tiles that the view reported to the server as present when a session began.
  std::uint64_t tiles_had = 0;
  // Tiles that arrived but could not be decoded.
  std::uint64_t tiles_corrupt = 0;
  // Tiles dropped from memory.
  std::uint64_t tiles_evicted = 0;
  // The cache folder: tiles read, tiles written, damaged files deleted, and its size.
  std::uint64_t disk_reads = 0;
  std::uint64_t disk_writes = 0;
  std::uint64_t disk_corrupt = 0;
  std::uint64_t disk_bytes = 0;
  // Tiles and bytes in memory now; tiles that the camera needs, and how many of these are missing.
  std::size_t tiles_in_memory = 0;
  std::size_t memory_bytes = 0;
  std::size_t tiles_wanted = 0;
  std::size_t tiles_missing = 0;
  // Tiles that the camera's picture needed, and how many of these had arrived before they were
  // needed. A tile counts once while it is in memory.
  std::uint64_t tiles_needed = 0;
  std::uint64_t tiles_in_time = 0;
  // The factor on the camera's tolerated error that makes its ground fit into memory.
  double tolerance_scale = 1;
};

// Where a ray meets the ground of a plane.
struct RayHit {
  // In metres from the ray's origin.
  double distance_m = 0;
  Vector3 position_m{};
  // The level of the tile that was hit.
  int level = 0;
};

// Where a ray meets the ground of a planet.
struct SpaceRayHit {
  // In metres from the ray's origin.
  double distance_m = 0;
  // In metres from the planet's middle.
  SpaceVector position_m{};
  // The level of the tile that was hit.
  int level = 0;
};

// Functions that Update calls with the changes of a frame. Any of them may be empty.
struct TerrainCallbacks {
  std::function<void(const DrawnTile&)> added;
  std::function<void(const TileKey&)> removed;
  // Ground that is drawn finer or coarser from this frame on: replace all of `removed` with all of
  // `added`.
  std::function<void(const Replacement&)> refined;
  std::function<void(const Replacement&)> coarsened;
  std::function<void(const DrawnTile&)> restitched;
};

// Fetches the tiles around a camera, keeps them in memory and on disk, and reports which of them to
// draw. The drawn set is complete and without cracks in every frame: a tile is replaced by all of
// its children at once.
//
//   auto view = thalweg::TerrainView::Open(**client, {.world = "alpine"});
//   if (!view.ok()) return view.status();
//   while (IsRunning()) {
//     absl::Status set = (*view)->SetCamera(camera);
//     if (!set.ok()) return set;
//     const thalweg::FrameChanges changes = (*view)->Update();
//     // Add, replace and remove meshes as `changes` says, then draw.
//   }
//
// Open needs the Client. Afterwards the Client may be destroyed.
//
// Threads: the view has three threads (reading, writing, choosing tiles), and a fourth if it has a
// cache folder. It never calls back on them: Update reports changes on the thread that calls it.
// All functions are thread-safe, except that only one thread at a time may call Update.
//
// When the connection is lost, the view opens it again, with the pauses of ClientOptions, as long
// as the view exists. Meanwhile its tiles are still drawn. They are not fetched again.
class THALWEG_API TerrainView {
 public:
  // Gets the world and starts to connect. NOT_FOUND for an unknown world. INVALID_ARGUMENT for
  // layers that it lacks and for options out of range. UNAVAILABLE if no server answers.
  static absl::StatusOr<std::unique_ptr<TerrainView>> Open(Client& client,
                                                           TerrainViewOptions options);

  ~TerrainView();
  TerrainView(const TerrainView&) = delete;
  TerrainView& operator=(const TerrainView&) = delete;

  // Returns the world, as it was when the view was opened.
  const WorldInfo& world() const;

  // Moves the camera; may be called every frame. INVALID_ARGUMENT names a field out of range; the
  // camera then stays. On a planet the camera must have in_space, on a plane it must not.
  absl::Status SetCamera(const Camera& camera);

  // Switches to the newest set of tiles, and returns the changes since the last call. It is fast,
  // because other threads decode and choose the tiles.
  FrameChanges Update();

  // The same; also calls `callbacks` with the changes, on this thread, before it returns.
  FrameChanges Update(const TerrainCallbacks& callbacks);

  // Waits up to the timeout until Update has changes or arrived tiles. False if it has neither.
  bool Wait(std::chrono::milliseconds timeout);

  // Returns the tiles of the last Update, ordered by key.
  const std::vector<DrawnTile>& drawn() const;

  // Returns the height of the ground in metres, bilinear on the finest tile in memory. Nothing
  // where no tile is in memory, and nothing on a planet.
  std::optional<double> HeightAt(double east_m, double south_m) const;

  // The same on a planet; nothing on a plane.
  std::optional<double> HeightAt(const LatLong& place) const;

  // Returns where a ray first meets the ground, from above or below, on the finest tiles in memory.
  // Nothing if it meets no ground within the distance (in metres), and nothing on a planet. The
  // direction may have any length above 0.
  std::optional<RayHit> CastRay(const Vector3& origin_m, const Vector3& direction,
                                double max_distance_m) const;

  // The same over a planet, in metres from its middle; nothing on a plane.
  std::optional<SpaceRayHit> CastRayInSpace(const SpaceVector& origin_m,
                                            const SpaceVector& direction,
                                            double max_distance_m) const;

  // Returns the view's counts and its present state.
  TerrainStatistics Statistics() const;

  // OK while the view is connected or tries to connect. Otherwise the error that made it give up.
  absl::Status status() const;

 private:
  class THALWEG_HIDDEN Impl;

  explicit TerrainView(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg
