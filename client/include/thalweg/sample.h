// SPDX-License-Identifier: Apache-2.0

// Points on the ground: of a plane, and of a planet.
#pragma once

namespace thalweg {

// A point on a plane, in metres.
struct GroundPoint {
  double east_m = 0;
  double south_m = 0;
};

// A point on a planet, in degrees: latitude from -90 to 90, longitude from -180 to 180, growing to
// the east.
struct LatLong {
  double latitude = 0;
  double longitude = 0;
};

}  // namespace thalweg
