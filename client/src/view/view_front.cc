#include "client/src/view/view_front.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "client/src/contract/messages.h"
#include "client/src/view/camera_planner.h"
#include "proto/geometry/surface.h"
#include "proto/geometry/tile_tree.h"

namespace thalweg {
namespace {

// Tiles that only one of the two sets has, by key.
using Tiles = std::map<TileKey, const DrawnTile*>;

// Returns the tile of a set that covers the key's ground and is coarser; nothing if none does.
std::optional<TileKey> CoveringIn(const Tiles& tiles, const TileKey& key) {
  for (int level = key.level - 1; level >= 0; --level) {
    const TileKey ancestor = ToPublic(lod::AncestorOf(ToWire(key), level));
    if (tiles.contains(ancestor)) return ancestor;
  }
  return std::nullopt;
}

// Compares two sets. Tiles of both sets stay, perhaps with other neighbours; the others go to
// `gone` and `come`.
void Compare(std::span<const DrawnTile> before, std::span<const DrawnTile> after, Tiles& gone,
             Tiles& come, FrameChanges& changes) {
  auto old_tile = before.begin();
  auto new_tile = after.begin();
  while (old_tile != before.end() || new_tile != after.end()) {
    if (new_tile == after.end() || (old_tile != before.end() && old_tile->key < new_tile->key)) {
      gone.emplace(old_tile->key, &*old_tile);
      ++old_tile;
    } else if (old_tile == before.end() || new_tile->key < old_tile->key) {
      come.emplace(new_tile->key, &*new_tile);
      ++new_tile;
    } else {
      if (old_tile->tile != new_tile->tile) {
        changes.refined.push_back({{old_tile->key}, {*new_tile}});
      } else if (old_tile->coarser != new_tile->coarser) {
        changes.restitched.push_back(*new_tile);
      }
      ++old_tile;
      ++new_tile;
    }
  }
}

auto Components(const sphere::Vector& v) { return std::tie(v.x, v.y, v.z); }

bool Same(const Camera& a, const Camera& b) {
  const Pose pose = PoseOf(a);
  const Pose other = PoseOf(b);
  return a.in_space.has_value() == b.in_space.has_value() &&
         Components(pose.position) == Components(other.position) &&
         Components(pose.velocity) == Components(other.velocity) &&
         Components(pose.direction) == Components(other.direction) &&
         std::tie(a.vertical_fov_deg, a.aspect, a.viewport_height_px, a.tolerated_error_px,
                  a.range_m) == std::tie(b.vertical_fov_deg, b.aspect, b.viewport_height_px,
                                         b.tolerated_error_px, b.range_m);
}

// Whether the camera can have moved this far while a set was chosen: a second of flight and some
// degrees.
bool IsNear(const Camera& chosen, const Camera& now) {
  constexpr double kSeconds = 1;
  constexpr double kCosine = 0.98;
  const Pose then = PoseOf(chosen);
  const Pose pose = PoseOf(now);
  return sphere::Length(pose.position - then.position) <=
             kSeconds * sphere::Length(pose.velocity) &&
         sphere::Dot(then.direction, pose.direction) >=
             kCosine * sphere::Length(then.direction) * sphere::Length(pose.direction) &&
         now.tolerated_error_px == chosen.tolerated_error_px &&
         now.viewport_height_px == chosen.viewport_height_px &&
         now.vertical_fov_deg == chosen.vertical_fov_deg;
}

// Whether the set covers all ground within the camera's range.
bool Covers(const DrawSet& set, const Camera& camera) {
  if (set.roots.empty()) return false;
  const auto roots =
      lod::SurfaceOf(set.grid)->RootsWithin(PoseOf(camera).position, DrawnRangeM(camera, set.grid));
  return std::all_of(roots.begin(), roots.end(),
                     [&](const wire::TileKey& root) { return set.roots.contains(root); });
}

}  // namespace

FrameChanges ChangesBetween(std::span<const DrawnTile> before, std::span<const DrawnTile> after) {
  FrameChanges changes;
  Tiles gone;
  Tiles come;
  Compare(before, after, gone, come, changes);

  std::map<TileKey, Replacement> refined;
  std::map<TileKey, Replacement> coarsened;
  for (const auto& [key, tile] : come) {
    if (const auto parent = CoveringIn(gone, key)) {
      refined[*parent].removed = {*parent};
      refined[*parent].added.push_back(*tile);
    }
  }
  for (const auto& [key, tile] : gone) {
    if (refined.contains(key)) continue;
    if (const auto parent = CoveringIn(come, key)) {
      coarsened[*parent].added = {*come.at(*parent)};
      coarsened[*parent].removed.push_back(key);
    } else {
      changes.removed.push_back(key);
    }
  }
  for (const auto& [key, tile] : come) {
    if (!coarsened.contains(key) && !CoveringIn(gone, key)) changes.added.push_back(*tile);
  }
  for (auto& [key, replacement] : refined) changes.refined.push_back(std::move(replacement));
  for (auto& [key, replacement] : coarsened) changes.coarsened.push_back(std::move(replacement));
  return changes;
}

bool ViewFront::SetCamera(const Camera& camera) {
  const std::lock_guard lock(mutex_);
  if (camera_ && Same(camera_->camera, camera)) return false;
  camera_ = {camera, camera_ ? camera_->number + 1 : 1};
  return true;
}

std::optional<NumberedCamera> ViewFront::camera() const {
  const std::lock_guard lock(mutex_);
  return camera_;
}

lod::WorldGrid ViewFront::grid() const {
  const std::lock_guard lock(mutex_);
  return newest_->grid;
}

void ViewFront::Publish(std::shared_ptr<const DrawSet> set) {
  const std::lock_guard lock(mutex_);
  newest_ = std::move(set);
  changed_.notify_all();
}

void ViewFront::Announce(const ArrivedTile& tile) {
  const std::lock_guard lock(mutex_);
  // Limits the memory if a program never calls Update.
  constexpr std::size_t kMax = 65'536;
  if (arrived_.size() < kMax) arrived_.push_back(tile);
  changed_.notify_all();
}

FrameChanges ViewFront::Update() {
  std::shared_ptr<const DrawSet> newest;
  std::vector<ArrivedTile> arrived;
  std::optional<NumberedCamera> camera;
  {
    const std::lock_guard lock(mutex_);
    newest = newest_;
    arrived.swap(arrived_);
    camera = camera_;
  }
  FrameChanges changes;
  if (newest != current_) changes = ChangesBetween(current_->tiles, newest->tiles);
  {
    // Wait reads current_ on another thread.
    const std::lock_guard lock(mutex_);
    current_ = std::move(newest);
  }
  changes.arrived = std::move(arrived);
  changes.complete = camera && Covers(*current_, camera->camera);
  changes.finest =
      changes.complete && current_->finest &&
      (Same(current_->camera, camera->camera) || IsNear(current_->camera, camera->camera));
  return changes;
}

bool ViewFront::Wait(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, timeout,
                           [this] { return newest_ != current_ || !arrived_.empty(); });
}

}  // namespace thalweg
