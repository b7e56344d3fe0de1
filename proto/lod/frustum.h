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
  // The picture's upper edge points to `up`, or to `north` if the camera looks straight up or down.
  // Both have length 1.
  Frustum(const View& view, const Vector& up, const Vector& north);

  // Whether the ball may reach into the pyramid: never false for a visible ball.
  bool MayShow(const Ball& ball) const;

 private:
  Vector position_;
  Vector forward_;
  // Normals of the left, right, upper and lower side, pointing inward, of length 1.
  std::array<Vector, 4> normals_;
};

}  // namespace thalweg::lod
