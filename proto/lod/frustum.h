// The pyramid that a view shows.
#pragma once

#include <array>

#include "proto/lod/view.h"

namespace thalweg::lod {

struct Ball {
  Vector middle;
  double radius_m = 0;
};

class Frustum {
 public:
  // Up is what the picture's upper edge is turned to; north, where the camera looks straight up or
  // down. Both have length 1.
  Frustum(const View& view, const Vector& up, const Vector& north);

  // Whether the ball reaches into the pyramid: never false for what can be seen.
  bool MayShow(const Ball& ball) const;

 private:
  Vector position_;
  Vector forward_;
  // Pointing inward from the left, right, upper and lower side, of length 1.
  std::array<Vector, 4> normals_;
};

}  // namespace thalweg::lod
