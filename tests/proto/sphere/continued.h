// The continuation of a face's lattice beyond its sides, as shaders/stages/owner.glsl has it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "proto/sphere/cube_faces.h"

namespace thalweg::sphere {

// Where a vertex of a face's continuation lies, as its owner. It may be up to `cells` beyond one
// side. Beyond two sides there is nothing: three faces meet at a corner, not four. Such a vertex is
// taken for the one on the edge of the two other faces that is as far from the corner as the larger
// of its two distances.
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
