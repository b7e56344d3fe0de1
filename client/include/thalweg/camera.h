// SPDX-License-Identifier: Apache-2.0

// Where somebody looks from.
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

// How a camera is in space around a planet.
struct SpacePose {
  SpaceVector position_m{};
  // In metres a second: ground along the way is fetched ahead.
  SpaceVector velocity_m_s{};
  // Where it looks; of any length above 0.
  SpaceVector direction{.x = -1, .y = 0, .z = 0};
};

// A camera over a world. TerrainView::SetCamera says which values it refuses.
struct Camera {
  Vector3 position_m{};
  // In metres a second: ground along the way is fetched ahead.
  Vector3 velocity_m_s{};
  // Where it looks; of any length above 0.
  Vector3 direction{.east = 0, .south = -1, .up = 0};
  // The angle between the picture's upper and lower edge, in degrees: 1 to 170.
  double vertical_fov_deg = 60;
  // The picture's width over its height: 0.1 to 10.
  double aspect = 16.0 / 9;
  // The picture's height in pixels: 1 to 65,536.
  int viewport_height_px = 1080;
  // By how much the drawn ground may be off, in pixels: 0.1 to 1,000.
  double tolerated_error_px = 2;
  // Ground farther away than this (horizontally) need not be drawn, in metres; never more than
  // three and a half tiles of level 0. A planet is drawn whole: what is farther away is coarse.
  double range_m = 60'000;
  // Over a planet, in place of the first three, which it does not look at.
  std::optional<SpacePose> in_space = std::nullopt;
};

}  // namespace thalweg
