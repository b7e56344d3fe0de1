// The positions of vertices of a cube's faces on the unit sphere: S2's quadratic projection
// (s2geometry.io, "S2 Cells"; s2coords.h). Areas of cells differ by a factor of at most 2.1.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "proto/geometry/vector.h"

namespace thalweg::sphere {

// The six faces of a cube around a planet, and the lattices of vertices on them: which face lies
// beyond a side, and which vertices of several lattices are one vertex of the sphere. Only
// integers.
//
// The faces and their axes are those of S2 (Google, s2geometry.io, "S2 Cells"), except that y grows
// the other way. So a face seen from outside is drawn like the plane: x to the right, y downward. A
// tile (x, y) of a level is the S2 cell (i, j) = (x, 2^level - 1 - y).
inline constexpr int kFaces = 6;

// A direction along an axis of space: one component is 1 or -1, the others are 0.
struct Axis {
  int x = 0;
  int y = 0;
  int z = 0;

  friend constexpr bool operator==(const Axis&, const Axis&) = default;
  constexpr Axis operator-() const { return {-x, -y, -z}; }
};

constexpr Vector VectorOf(const Axis& axis) {
  return {static_cast<double>(axis.x), static_cast<double>(axis.y), static_cast<double>(axis.z)};
}

// The position of a face on the cube from -1 to 1: its middle, and the directions in which its x
// and y grow. The three are a left-handed system, like east, south and up. The middle of face 2 is
// the north pole; face 0 has longitude 0 in its middle.
struct FaceAxes {
  Axis middle;
  Axis x;
  Axis y;
};

constexpr FaceAxes AxesOf(int face) {
  constexpr std::array<FaceAxes, kFaces> kAxes = {{
      {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}},
      {{0, 1, 0}, {-1, 0, 0}, {0, 0, -1}},
      {{0, 0, 1}, {-1, 0, 0}, {0, 1, 0}},
      {{-1, 0, 0}, {0, 0, -1}, {0, 1, 0}},
      {{0, -1, 0}, {0, 0, -1}, {-1, 0, 0}},
      {{0, 0, -1}, {0, 1, 0}, {-1, 0, 0}},
  }};
  return kAxes[static_cast<std::size_t>(face)];
}

// The sides of a face, in the order of quarter turns from east to south.
enum class Side : std::uint8_t { kEast, kSouth, kWest, kNorth };
inline constexpr std::array<Side, 4> kSides = {Side::kEast, Side::kSouth, Side::kWest,
                                               Side::kNorth};

// The face beyond a side of another face, and the quarter turns (east to south) that turn a vector
// of the other face's lattice into one of its own.
struct Crossing {
  int face = 0;
  int turns = 0;

  friend constexpr bool operator==(const Crossing&, const Crossing&) = default;
};

Crossing Beyond(int face, Side side);

// A vertex of a face's lattice: 0 to `cells` in both axes on the face itself; beyond that, on the
// face's continuation.
struct Vertex {
  int face = 0;
  std::int64_t x = 0;
  std::int64_t y = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): what clang-tidy 14 takes the comparison with 0 for.
  friend constexpr auto operator<=>(const Vertex&, const Vertex&) = default;
};

// Returns the same vertex in the lattice of the face beyond a side. A vertex beyond the side is on
// that face.
Vertex Across(const Vertex& vertex, Side side, std::int64_t cells);

// Returns the vertices of the faces' lattices that are this vertex of the sphere, including itself:
// one inside a face, two on an edge, three at a corner. The vertex must be on its face.
std::vector<Vertex> SameAs(const Vertex& vertex, std::int64_t cells);

// Returns the one of these that owns the vertex: that of the lowest face.
Vertex OwnerOf(const Vertex& vertex, std::int64_t cells);

// A place on a face, as parts of its side: 0 to 1 from west to east and from north to south.
struct FacePlace {
  int face = 0;
  double x = 0;
  double y = 0;
};

// In degrees: latitude -90 to 90, longitude -180 to 180 to the east.
struct LatLong {
  double latitude = 0;
  double longitude = 0;
};

// Converts from -1 to 1 on the cube to 0 to 1 on the lattice, and back.
double ToLattice(double on_cube);
double ToCube(double on_lattice);

// Returns the point of a place. Places beyond the face's sides continue its projection.
Vector PointOf(const FacePlace& place);

// Returns the place of a point other than the planet's middle. On an edge: on one of its faces.
FacePlace PlaceOf(const Vector& point);
// The same on a chosen face or its continuation. The point must lie less than 90° from the face's
// middle.
FacePlace PlaceOn(int face, const Vector& point);

Vector PointOf(const LatLong& place);
LatLong LatLongOf(const Vector& point);

}  // namespace thalweg::sphere
