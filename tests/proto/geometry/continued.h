// The continuation of a face's lattice beyond its sides, like in shaders/stages/owner.glsl.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "proto/geometry/cube_sphere.h"

namespace thalweg::sphere {

// The side of its face that a vertex is beyond, if it is not on the face. Beyond two sides: east or
// west.
inline std::optional<Side> SideBefore(const Vertex& vertex, std::int64_t cells) {
  if (vertex.x > cells) return Side::kEast;
  if (vertex.x < 0) return Side::kWest;
  if (vertex.y > cells) return Side::kSouth;
  if (vertex.y < 0) return Side::kNorth;
  return std::nullopt;
}

// The owner of a vertex of a face's continuation. The vertex may be up to `cells` beyond one side.
// Beyond two sides there is no face, since only three faces meet at a corner. For such a vertex,
// the result is on the edge of the two other faces. Its distance from the corner is the larger of
// the vertex's two distances.
inline Vertex Continued(const Vertex& vertex, std::int64_t cells) {
  const std::optional<Side> side = SideBefore(vertex, cells);
  if (!side) return OwnerOf(vertex, cells);
  Vertex on = vertex;
  const std::int64_t south = vertex.y - std::clamp<std::int64_t>(vertex.y, 0, cells);
  if (south != 0 && (*side == Side::kEast || *side == Side::kWest)) {
    const std::int64_t east = vertex.x - std::clamp<std::int64_t>(vertex.x, 0, cells);
    const std::int64_t farther = std::max(std::abs(east), std::abs(south));
    on.x = east < 0 ? -farther : cells + farther;
    on.y = south < 0 ? 0 : cells;
  }
  return OwnerOf(Across(on, *side, cells), cells);
}

// The quarter turns that turn a vector of a face's neighbour into one of the face's own axes.
inline int TurnsFrom(int face, int neighbour) {
  for (const Side side : kSides) {
    if (const Crossing beyond = Beyond(face, side); beyond.face == neighbour)
      return 4 - beyond.turns;
  }
  return 0;
}

// The quarter turns that turn a vector at the owner of a vertex into one at the vertex.
inline int TurnsFromOwner(const Vertex& vertex, std::int64_t cells) {
  const std::optional<Side> side = SideBefore(vertex, cells);
  const int over = side ? Beyond(vertex.face, *side).face : vertex.face;
  return TurnsFrom(vertex.face, over) + TurnsFrom(over, Continued(vertex, cells).face);
}

}  // namespace thalweg::sphere
