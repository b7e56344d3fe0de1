#include "proto/lod/frustum.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thalweg::lod {

Frustum::Frustum(const View& view, const Vector& up, const Vector& north)
    : position_(view.position), forward_(Unit(view.direction)) {
  const Vector up_hint = std::abs(Dot(forward_, up)) < 0.999 ? up : north;
  const Vector right = Unit(Cross(forward_, up_hint));
  const Vector picture_up = Cross(right, forward_);
  const double up_tangent = std::tan(view.vertical_fov_deg * std::numbers::pi / 360);
  const double right_tangent = up_tangent * view.aspect;
  // The plane of a side contains the eye and an edge of the picture.
  normals_ = {Unit(right_tangent * forward_ + right), Unit(right_tangent * forward_ - right),
              Unit(up_tangent * forward_ + picture_up), Unit(up_tangent * forward_ - picture_up)};
}

bool Frustum::MayShow(const Ball& ball) const {
  const Vector middle = ball.middle - position_;
  if (Dot(middle, forward_) < -ball.radius_m) return false;
  return std::all_of(normals_.begin(), normals_.end(),
                     [&](const Vector& normal) { return Dot(middle, normal) >= -ball.radius_m; });
}

}  // namespace thalweg::lod
