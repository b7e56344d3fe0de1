#include "client/cli/plane_camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thalweg::cli {

PlaneCamera::PlaneCamera(const TerrainView& view, const FlyArguments& arguments)
    : FlightCamera(arguments), view_(view), arguments_(arguments) {
  const double heading = arguments.heading_deg * std::numbers::pi / 180;
  forward_ = {.east = std::sin(heading), .south = -std::cos(heading)};
  camera_.position_m = {arguments.x_m, arguments.y_m, arguments.height_m};
  camera_.velocity_m_s = {.east = arguments.speed_m_s * forward_.east,
                          .south = arguments.speed_m_s * forward_.south};
  camera_.direction = {forward_.east, forward_.south, -kDownward};
}

void PlaneCamera::MoveTo(double seconds, double since_last_s) {
  flown_m_ = arguments_.speed_m_s * seconds;
  camera_.position_m.east = arguments_.x_m + flown_m_ * forward_.east;
  camera_.position_m.south = arguments_.y_m + flown_m_ * forward_.south;
  Follow(std::min(1.0, kFollowPerS * since_last_s));
}

void PlaneCamera::Follow(double share) {
  const Vector3& at = camera_.position_m;
  const Vector3& speed = camera_.velocity_m_s;
  const auto here = view_.HeightAt(at.east, at.south);
  if (!here) return;
  const double ahead =
      view_.HeightAt(at.east + kGroundAheadS * speed.east, at.south + kGroundAheadS * speed.south)
          .value_or(*here);
  const double wanted = std::max(*here, ahead) + arguments_.height_m;
  const double min = *here + 0.25 * arguments_.height_m;
  camera_.position_m.up = std::max(at.up + share * (wanted - at.up), min);
}

}  // namespace thalweg::cli
