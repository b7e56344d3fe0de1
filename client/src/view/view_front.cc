#include "client/src/view/view_front.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "client/src/view/camera_message.h"
#include "client/src/view/frame_changes.h"
#include "proto/lod/surface.h"

namespace thalweg {
namespace {

auto Components(const lod::Vector& v) { return std::tie(v.x, v.y, v.z); }

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
  return lod::Length(pose.position - then.position) <= kSeconds * lod::Length(pose.velocity) &&
         lod::Dot(then.direction, pose.direction) >=
             kCosine * lod::Length(then.direction) * lod::Length(pose.direction) &&
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

lod::Grid ViewFront::grid() const {
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
