// The part of a view that the program's threads use: the camera goes in, sets of tiles come out.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "proto/geometry/surface.h"
#include "proto/wire/tile_key.h"
#include "thalweg/camera.h"
#include "thalweg/drawn_tile.h"

namespace thalweg {

// Returns the changes. Both sets must be sorted by key and cover ground without overlap; they may
// be empty. `arrived`, `complete` and `finest` keep their defaults.
FrameChanges ChangesBetween(std::span<const DrawnTile> before, std::span<const DrawnTile> after);

// A set of tiles that is drawn together, and the camera that it was chosen for.
struct DrawSet {
  lod::WorldGrid grid;
  Camera camera;
  // Sorted by key.
  std::vector<DrawnTile> tiles;
  // The level-0 tiles whose ground the set covers.
  absl::flat_hash_set<wire::TileKey> roots;
  bool finest = false;
};

// A camera, and how often it has changed.
struct NumberedCamera {
  Camera camera;
  std::uint64_t number = 0;
};

// Its locks are held only briefly, so that no frame waits for a choice. Thread-safe, except that
// only one thread at a time may use Update and drawn.
class ViewFront {
 public:
  // Sets the camera. True if it has changed.
  bool SetCamera(const Camera& camera);
  std::optional<NumberedCamera> camera() const;

  // Returns the grid of the newest set.
  lod::WorldGrid grid() const;

  void Publish(std::shared_ptr<const DrawSet> set);
  void Announce(const ArrivedTile& tile);

  FrameChanges Update();
  bool Wait(std::chrono::milliseconds timeout);
  const std::vector<DrawnTile>& drawn() const { return current_->tiles; }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<NumberedCamera> camera_;
  std::shared_ptr<const DrawSet> newest_ = std::make_shared<DrawSet>();
  std::vector<ArrivedTile> arrived_;
  // The set of the last Update. Only Update changes it, with the lock held.
  std::shared_ptr<const DrawSet> current_ = newest_;
};

}  // namespace thalweg
