#include "proto/geometry/view.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "proto/wire/invalid.h"

namespace thalweg::lod {
namespace {

absl::Status CheckRange(const char* name, double value, double min, double max) {
  // Written so that NaN fails too.
  if (value >= min && value <= max) return absl::OkStatus();
  return wire::Invalid(absl::StrCat("view.", name), absl::StrCat(min, " to ", max), value);
}

absl::Status CheckVector(const char* name, const sphere::Vector& vector, double max) {
  for (const double component : {vector.x, vector.y, vector.z}) {
    if (absl::Status status = CheckRange(name, component, -max, max); !status.ok()) return status;
  }
  return absl::OkStatus();
}

// Larger than the largest world, which reaches to vertex 2^48.
constexpr double kFarthestM = 1e18;
constexpr double kFastestMPerS = 1e6;
constexpr double kShortestDirection = 1e-9;

}  // namespace

absl::Status CheckView(const View& view) {
  for (absl::Status status : {CheckVector("position", view.position, kFarthestM),
                              CheckVector("velocity", view.velocity, kFastestMPerS),
                              CheckVector("direction", view.direction, kFarthestM),
                              CheckRange("length of direction", Length(view.direction),
                                         kShortestDirection, 2 * kFarthestM),
                              CheckRange("vertical_fov_deg", view.vertical_fov_deg, 1, 170),
                              CheckRange("aspect", view.aspect, 0.1, 10),
                              CheckRange("viewport_height_px", view.viewport_height_px, 1, 65'536),
                              CheckRange("tolerated_error_px", view.tolerated_error_px, 0.1, 1'000),
                              CheckRange("range_m", view.range_m, 1, kFarthestM)}) {
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

double PixelsPerRadian(const View& view) {
  const double half_fov = view.vertical_fov_deg * std::numbers::pi / 360;
  return view.viewport_height_px / (2 * std::tan(half_fov));
}

View Ahead(const View& view, double seconds) {
  View ahead = view;
  ahead.position = view.position + seconds * view.velocity;
  return ahead;
}

Frustum::Frustum(const View& view, const sphere::Vector& up, const sphere::Vector& north)
    : position_(view.position), forward_(Unit(view.direction)) {
  const sphere::Vector up_hint = std::abs(Dot(forward_, up)) < 0.999 ? up : north;
  const sphere::Vector right = Unit(Cross(forward_, up_hint));
  const sphere::Vector picture_up = Cross(right, forward_);
  const double up_tangent = std::tan(view.vertical_fov_deg * std::numbers::pi / 360);
  const double right_tangent = up_tangent * view.aspect;
  // The plane of a side contains the eye and an edge of the picture.
  normals_ = {Unit(right_tangent * forward_ + right), Unit(right_tangent * forward_ - right),
              Unit(up_tangent * forward_ + picture_up), Unit(up_tangent * forward_ - picture_up)};
}

bool Frustum::MayShow(const Ball& ball) const {
  const sphere::Vector middle = ball.middle - position_;
  if (Dot(middle, forward_) < -ball.radius_m) return false;
  return std::all_of(normals_.begin(), normals_.end(), [&](const sphere::Vector& normal) {
    return Dot(middle, normal) >= -ball.radius_m;
  });
}

}  // namespace thalweg::lod
