#include "client/src/camera_message.h"

#include <algorithm>

namespace thalweg {
namespace {

// A view reaches 4 tiles of level 0 at most; what lies between is kept at hand ahead of its use.
constexpr double kMostDrawnTiles = 3.5;
constexpr double kMostTiles = 4;
constexpr double kMarginShare = 1.0 / 16;
constexpr double kMarginS = 10;

lod::Vector ToLod(const Vector3& vector) { return {vector.east, vector.south, vector.up}; }

lod::View PlainView(const Camera& camera) {
  return {.position = ToLod(camera.position_m),
          .velocity = ToLod(camera.velocity_m_s),
          .direction = ToLod(camera.direction),
          .vertical_fov_deg = camera.vertical_fov_deg,
          .aspect = camera.aspect,
          .viewport_height_px = camera.viewport_height_px,
          .tolerated_error_px = camera.tolerated_error_px,
          .range_m = camera.range_m};
}

void Set(const lod::Vector& vector, v1::Vector& message) {
  message.set_east(vector.x);
  message.set_south(vector.y);
  message.set_up(vector.z);
}

}  // namespace

absl::Status CheckCamera(const Camera& camera) { return lod::CheckView(PlainView(camera)); }

double DrawnRangeM(const Camera& camera, const lod::Grid& grid) {
  return std::min(camera.range_m, kMostDrawnTiles * lod::TileSizeM(grid, 0));
}

lod::View ViewOf(const Camera& camera, const lod::Grid& grid, double tolerance_scale) {
  lod::View view = PlainView(camera);
  const double range_m = DrawnRangeM(camera, grid);
  const double margin_m =
      std::max(kMarginShare * range_m, kMarginS * lod::Length({view.velocity.x, view.velocity.y}));
  view.range_m = std::min(range_m + margin_m, kMostTiles * lod::TileSizeM(grid, 0));
  view.tolerated_error_px = std::min(view.tolerated_error_px * tolerance_scale, 1'000.0);
  return view;
}

v1::View ToMessage(const lod::View& view, double lookahead_s) {
  v1::View message;
  Set(view.position, *message.mutable_position_m());
  Set(view.velocity, *message.mutable_velocity_m_s());
  Set(view.direction, *message.mutable_direction());
  message.set_vertical_fov_deg(view.vertical_fov_deg);
  message.set_aspect(view.aspect);
  message.set_viewport_height_px(static_cast<std::uint32_t>(view.viewport_height_px));
  message.set_tolerated_error_px(view.tolerated_error_px);
  message.set_range_m(view.range_m);
  message.set_lookahead_s(lookahead_s);
  return message;
}

}  // namespace thalweg
