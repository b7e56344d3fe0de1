// The input for finding rivers and lakes.
#pragma once

#include <cstdint>
#include <optional>

#include "client/tools/survey/grid.h"

namespace thalweg::hydrography {

// Layers of one region of one level, all of the same shape.
struct Waters {
  double cell_m = 1;
  survey::Grid<std::int32_t> height_q16;
  // 256 is the rain on one cell.
  survey::Grid<std::int32_t> flow_q8;
  // The surface of standing water; the ground's height where it is dry. Empty: the world has no
  // such layer.
  survey::Grid<std::int32_t> water_q16 = {};
  std::optional<double> sea_level_m = {};

  static double Metres(std::int32_t q16) { return q16 / 65536.0; }
  bool IsWet(std::size_t vertex) const {
    return !water_q16.values.empty() && water_q16.values[vertex] > height_q16.values[vertex];
  }
  // Returns the height of the surface: the ground, or standing water on it.
  double SurfaceM(std::size_t vertex) const {
    return Metres(IsWet(vertex) ? water_q16.values[vertex] : height_q16.values[vertex]);
  }
};

}  // namespace thalweg::hydrography
