// Points on the ground.
#pragma once

namespace thalweg {

// In metres: x grows to the east, y to the south.
struct GroundPoint {
  double east_m = 0;
  double south_m = 0;
};

}  // namespace thalweg
