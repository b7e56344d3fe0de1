// SPDX-License-Identifier: Apache-2.0

// A camera.
#pragma once

#include <optional>

#include "thalweg/planet.h"

namespace thalweg {

// A point, direction or velocity on a plane, in metres: east, south, and upward from the datum.
struct Vector3 {
  double east = 0;
  double south = 0;
  double up = 0;
};

// Position, velocity and direction in space around a planet.
struct SpacePose {
  SpaceVector position_m{};
  // In metres per second. Ground along the path is fetched ahead.
  SpaceVector velocity_m_s{};
  // The direction of view, of any length above 0.
  SpaceVector direction{.x = -1, .y = 0, .z = 0};
};

// A camera over a world.
//
//   camera.position_m = {.east = 0, .south = 5'000, .up = 3'000};
//   camera.direction = {.east = 0, .south = -1, .up = -0.3};
//   camera.viewport_height_px = 1440;
struct Camera {
  Vector3 position_m{};
  // In metres per second. Ground along the path is fetched ahead.
  Vector3 velocity_m_s{};
  // The direction of view, of any length above 0.
  Vector3 direction{.east = 0, .south = -1, .up = 0};
  // The angle between the picture's upper and lower edge, in degrees: 1 to 170.
  double vertical_fov_deg = 60;
  // The picture's width over its height: 0.1 to 10.
  double aspect = 16.0 / 9;
  // The picture's height in pixels: 1 to 65,536.
  int viewport_height_px = 1080;
  // The tolerated error of the drawn ground, in pixels: 0.1 to 1,000.
  double tolerated_error_px = 2;
  // The horizontal distance up to which ground is drawn, in metres; cut to three and a half tiles
  // of level 0. A planet is always drawn whole; beyond this distance it is drawn coarsely.
  double range_m = 60'000;
  // Required on a planet, where it replaces the first three fields; not allowed on a plane.
  std::optional<SpacePose> in_space = std::nullopt;
};

}  // namespace thalweg
