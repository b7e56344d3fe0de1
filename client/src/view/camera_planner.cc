#include "client/src/view/camera_planner.h"

#include <algorithm>

#include "client/src/ground/ground.h"
#include "proto/wire/invalid.h"

namespace thalweg {
namespace {

// Max drawn range, in tiles of level 0. Ground between it and a view's max range
// (lod::kMaxRangeTiles) is fetched before it is drawn.
constexpr double kMaxDrawnTiles = 3.5;
constexpr double kMarginShare = 1.0 / 16;
constexpr double kMarginS = 10;

lod::View PlainView(const Camera& camera) {
  const Pose pose = PoseOf(camera);
  return {.position = pose.position,
          .velocity = pose.velocity,
          .direction = pose.direction,
          .vertical_fov_deg = camera.vertical_fov_deg,
          .aspect = camera.aspect,
          .viewport_height_px = camera.viewport_height_px,
          .tolerated_error_px = camera.tolerated_error_px,
          .range_m = camera.range_m};
}

// In metres per second; over a planet the whole speed, in any direction.
double HorizontalSpeed(const sphere::Vector& velocity, wire::Shape shape) {
  const bool plane = shape == wire::Shape::kPlane;
  return sphere::Length({velocity.x, velocity.y, plane ? 0 : velocity.z});
}

void Set(const sphere::Vector& vector, v1::Vector& message) {
  message.set_east(vector.x);
  message.set_south(vector.y);
  message.set_up(vector.z);
}

void Set(const sphere::Vector& vector, v1::SpaceVector& message) {
  message.set_x(vector.x);
  message.set_y(vector.y);
  message.set_z(vector.z);
}

// The part of the memory that a camera may need; the rest is for ground ahead and behind.
constexpr double kMaxShare = 0.8;
// Below this part there is room for tiles ahead, and a raised tolerance is lowered again.
constexpr double kAmpleShare = 0.6;
constexpr double kScaleStep = 1.2;
// The largest error that a view may tolerate is 1,000 pixels.
constexpr double kMaxScale = 10'000;

}  // namespace

Pose PoseOf(const Camera& camera) {
  if (camera.in_space) {
    return {ToVector(camera.in_space->position_m), ToVector(camera.in_space->velocity_m_s),
            ToVector(camera.in_space->direction)};
  }
  return {ToVector(camera.position_m), ToVector(camera.velocity_m_s), ToVector(camera.direction)};
}

absl::Status CheckCamera(const Camera& camera, wire::Shape shape) {
  const bool planet = shape == wire::Shape::kSphere;
  if (camera.in_space.has_value() != planet) {
    return planet ? wire::Missing("camera.in_space", "a pose, since the world is a planet")
                  : wire::Excluded("camera.in_space", "the world is a plane");
  }
  return lod::CheckView(PlainView(camera));
}

double DrawnRangeM(const Camera& camera, const lod::WorldGrid& grid) {
  return std::min(camera.range_m, kMaxDrawnTiles * lod::TileSizeM(grid, 0));
}

lod::View ViewOf(const Camera& camera, const lod::WorldGrid& grid, double tolerance_scale) {
  lod::View view = PlainView(camera);
  const double range_m = DrawnRangeM(camera, grid);
  const double margin_m = std::max(kMarginShare * range_m,
                                   kMarginS * HorizontalSpeed(view.velocity, lod::ShapeOf(grid)));
  view.range_m = std::min(range_m + margin_m, lod::kMaxRangeTiles * lod::TileSizeM(grid, 0));
  view.tolerated_error_px = std::min(view.tolerated_error_px * tolerance_scale, 1'000.0);
  return view;
}

v1::View ToMessage(const lod::View& view, wire::Shape shape, double lookahead_s) {
  v1::View message;
  if (shape == wire::Shape::kPlane) {
    Set(view.position, *message.mutable_position_m());
    Set(view.velocity, *message.mutable_velocity_m_s());
    Set(view.direction, *message.mutable_direction());
  } else {
    Set(view.position, *message.mutable_space_position_m());
    Set(view.velocity, *message.mutable_space_velocity_m_s());
    Set(view.direction, *message.mutable_space_direction());
  }
  message.set_vertical_fov_deg(view.vertical_fov_deg);
  message.set_aspect(view.aspect);
  message.set_viewport_height_px(static_cast<std::uint32_t>(view.viewport_height_px));
  message.set_tolerated_error_px(view.tolerated_error_px);
  message.set_range_m(view.range_m);
  message.set_lookahead_s(lookahead_s);
  return message;
}

CameraPlan CameraPlanner::Plan(const Camera& camera, const lod::WorldGrid& grid,
                               lod::FactsOf facts_of, lod::IsLoaded is_loaded) {
  const auto select = [&](double scale) {
    return lod::Selection::Of(ViewOf(camera, grid, scale), grid, facts_of);
  };
  const auto share = [this](const lod::Selection& selection) {
    return static_cast<double>(selection.tiles().size() * tile_bytes_) /
           static_cast<double>(budget_bytes_);
  };
  CameraPlan plan;
  plan.selection = select(tolerance_scale_);
  while (share(plan.selection) > kMaxShare && tolerance_scale_ < kMaxScale) {
    tolerance_scale_ *= kScaleStep;
    plan.selection = select(tolerance_scale_);
  }
  // Lowers the tolerance one step at a time, and only if that fits, so that it does not oscillate.
  if (tolerance_scale_ > 1 && share(plan.selection) < kAmpleShare) {
    const double less = std::max(tolerance_scale_ / kScaleStep, 1.0);
    lod::Selection finer = select(less);
    if (share(finer) <= kMaxShare) {
      tolerance_scale_ = less;
      plan.selection = std::move(finer);
    }
  }
  plan.tolerance_scale = tolerance_scale_;
  plan.room_ahead = share(plan.selection) < kAmpleShare;
  plan.view = ViewOf(camera, grid, tolerance_scale_);
  plan.drawable = lod::DrawableOf(plan.selection, is_loaded);
  return plan;
}

}  // namespace thalweg
