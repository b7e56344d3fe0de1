// The continuation of a face's lattice beyond its sides, like in shaders/stages/owner.glsl.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "proto/sphere/cube_faces.h"

namespace thalweg::sphere {

// The owner of a vertex of a face's continuation. The vertex may be up to `cells` beyond one side.
// Beyond two sides there is no face, since only three faces meet at a corner. For such a vertex,
// the result is on the edge of the two other faces. Its distance from the corner is the larger of
// the vertex's two distances.
inline Vertex Continued(const Vertex& vertex, std::int64_t cells) {
  // How far a coordinate is beyond the face: negative before it.
  const auto excess = [cells](std::int64_t coordinate) {
    return coordinate < 0 ? coordinate : std::max<std::int64_t>(coordinate - cells, 0);
  };
  const std::int64_t east = excess(vertex.x);
  const std::int64_t south = excess(vertex.y);
  if (east == 0 && south == 0) return OwnerOf(vertex, cells);
  Vertex on = vertex;
  if (east != 0 && south != 0) {
    const std::int64_t farther = std::max(std::abs(east), std::abs(south));
    on.x = east < 0 ? -farther : cells + farther;
    on.y = south < 0 ? 0 : cells;
  }
  const bool along_x = east != 0;
  const Side side =
      along_x ? (east > 0 ? Side::kEast : Side::kWest) : (south > 0 ? Side::kSouth : Side::kNorth);
  return OwnerOf(Across(on, side, cells), cells);
}

}  // namespace thalweg::sphere
