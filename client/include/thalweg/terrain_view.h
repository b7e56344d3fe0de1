// SPDX-License-Identifier: Apache-2.0

// A camera's terrain, kept at hand while it flies.
//
//   auto view = thalweg::TerrainView::Open(**client, {.world = "alpine"});
//   while (running) {
//     (*view)->SetCamera(camera);
//     const thalweg::FrameChanges changes = (*view)->Update();
//     // Remove, add and replace meshes as it says, then draw.
//   }
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

struct TerrainViewOptions {
  // The world's name, or its id in hexadecimal.
  std::string world = {};
  // The height always comes along, as the first plane of every tile.
  std::vector<Layer> layers = {Layer::kHeight};
  Precision precision = Precision::kLattice;
  // How much decoded ground is kept, in bytes (264,196 a tile and layer). A camera that needs more
  // than four fifths of it gets coarser ground: Statistics::tolerance_scale tells. Tiles that the
  // program holds itself are not counted.
  std::size_t memory_bytes = std::size_t{512} << 20;
  // A folder to keep tiles in, made if it is not there; none when empty. Several views and programs
  // may share one, and every server whose tiles it keeps is believed: servers that are not trusted
  // want a folder of their own.
  std::string cache_folder = {};
  // How much that folder may hold, in bytes; what was not used for longest goes first.
  std::uint64_t cache_bytes = std::uint64_t{2} << 30;
  // How far ahead along the camera's velocity tiles are fetched: 0 to 60 s.
  double lookahead_s = 4;
  // How much may be on its way and not taken yet.
  std::uint32_t credit_tiles = 64;
  std::uint64_t credit_bytes = std::uint64_t{8} << 20;
};

// What has happened since the view was opened.
struct TerrainStatistics {
  bool connected = false;
  // How often the connection was lost after it had been there.
  std::uint64_t reconnects = 0;
  // From the server: tiles and the bytes of their messages; tiles it did not send since they were
  // at hand; tiles that could not be had.
  std::uint64_t tiles_received = 0;
  std::uint64_t wire_bytes = 0;
  std::uint64_t tiles_unchanged = 0;
  std::uint64_t tiles_failed = 0;
  // Tiles told to the server as had when a session began.
  std::uint64_t tiles_had = 0;
  // Tiles that came and could not be decoded.
  std::uint64_t tiles_corrupt = 0;
  // Tiles thrown out of memory.
  std::uint64_t tiles_evicted = 0;
  // From and to the disk: tiles read, tiles written, files thrown away because they were damaged.
  std::uint64_t disk_reads = 0;
  std::uint64_t disk_writes = 0;
  std::uint64_t disk_corrupt = 0;
  std::uint64_t disk_bytes = 0;
  // In memory now, and what the camera needs.
  std::size_t tiles_in_memory = 0;
  std::size_t memory_bytes = 0;
  std::size_t tiles_wanted = 0;
  std::size_t tiles_missing = 0;
  // Tiles that the camera's picture has come to need, each once while it is in memory, and how many
  // of them were there already: what fetching ahead achieves.
  std::uint64_t tiles_needed = 0;
  std::uint64_t tiles_in_time = 0;
  // By how much the camera's tolerated error is multiplied so that its ground fits into memory.
  double tolerance_scale = 1;
};

struct RayHit {
  // In metres from the ray's origin.
  double distance_m = 0;
  Vector3 position_m{};
  // The level of the tile that was hit.
  int level = 0;
};

struct SpaceRayHit {
  // In metres from the ray's origin.
  double distance_m = 0;
  // In metres from the planet's middle.
  SpaceVector position_m{};
  // The level of the tile that was hit.
  int level = 0;
};

// Takes what changes. Any of them may be empty.
struct TerrainCallbacks {
  std::function<void(const DrawnTile&)> added;
  std::function<void(const TileKey&)> removed;
  // Ground that is drawn finer or coarser from this frame on: all of `added` in place of all of
  // `removed`.
  std::function<void(const Replacement&)> refined;
  std::function<void(const Replacement&)> coarsened;
  std::function<void(const DrawnTile&)> restitched;
};

// Keeps the ground around a camera at hand, in memory and on disk, and says what of it to draw: at
// every moment a complete set without cracks, children in their parent's place only together. It
// needs the Client only while it is opened.
//
// Threads: the view has three of its own (it reads, writes, chooses) and a fourth with a cache
// folder. No callback ever runs on them: changes are given by Update, on the thread that calls it.
// All functions may be called from any thread; Update from one at a time.
//
// A connection that is lost is taken up again, with pauses as ClientOptions has them, for as long
// as the view exists; what is at hand is drawn on meanwhile and is not fetched again.
class THALWEG_API TerrainView {
 public:
  // Asks for the world and begins to connect. NOT_FOUND for an unknown world, INVALID_ARGUMENT for
  // layers that it does not have or options out of their range, UNAVAILABLE where nothing answers.
  static absl::StatusOr<std::unique_ptr<TerrainView>> Open(Client& client,
                                                           TerrainViewOptions options);

  ~TerrainView();
  TerrainView(const TerrainView&) = delete;
  TerrainView& operator=(const TerrainView&) = delete;

  // The world, as it was when the view was opened.
  const WorldInfo& world() const;

  // Where the camera is now; as often as one likes. INVALID_ARGUMENT, naming the field and its
  // range, for a camera out of range, one in space over a plane, or one that is not in space over a
  // planet; it changes nothing.
  absl::Status SetCamera(const Camera& camera);

  // Goes on to the newest set of tiles and gives what changed since the last call. Short: tiles
  // have been decoded and chosen before.
  FrameChanges Update();

  // The same, by callbacks on this thread before it returns.
  FrameChanges Update(const TerrainCallbacks& callbacks);

  // Waits until Update has something to give, for so long at most. False if it has not.
  bool Wait(std::chrono::milliseconds timeout);

  // The tiles of the last Update, ordered by key.
  const std::vector<DrawnTile>& drawn() const;

  // The height of the ground in metres, bilinear on the finest tile at hand; nothing where none is,
  // on a planet nowhere.
  std::optional<double> HeightAt(double east_m, double south_m) const;

  // The same on a planet; nothing on a plane.
  std::optional<double> HeightAt(const LatLong& place) const;

  // Where a ray first meets the ground from above or below, on the finest tiles at hand; nothing if
  // it meets none within the distance (in metres), or the world is a planet. The direction has any
  // length above 0.
  std::optional<RayHit> CastRay(const Vector3& origin_m, const Vector3& direction,
                                double max_distance_m) const;

  // The same over a planet, in metres from its middle; nothing on a plane.
  std::optional<SpaceRayHit> CastRayInSpace(const SpaceVector& origin_m,
                                            const SpaceVector& direction,
                                            double max_distance_m) const;

  TerrainStatistics Statistics() const;

  // OK while the view is connected or tries to be; otherwise why it gave up: an error that no
  // further attempt would mend.
  absl::Status status() const;

 private:
  class THALWEG_HIDDEN Impl;

  explicit TerrainView(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg
