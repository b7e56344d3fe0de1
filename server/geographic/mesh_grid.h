// The vertices of a tile's mesh, before any are left out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "proto/geometry/cube_sphere.h"
#include "server/geographic/ellipsoid.h"
#include "server/geographic/tiling.h"

namespace thalweg::geographic {

// Cells on a side of the grid, and vertices.
inline constexpr int kMeshCells = 64;
inline constexpr int kMeshSide = kMeshCells + 1;

// The numbers of three vertices, counterclockwise where columns grow to the right and rows upwards.
using Triangle = std::array<std::uint16_t, 3>;

// Covers kMeshSide x kMeshSide points, row after row, with few triangles: a right-triangulated
// irregular network (Evans, Kirkpatrick & Townsend 2001). It splits triangles in two until each is
// close enough to the points that it covers. No point is farther than `error_m`
// from its place in its triangle, which has the same weights of the corners as in the grid. All
// vertices on the grid's edges are kept, so that meshes on both sides of an edge meet.
std::vector<Triangle> Triangulate(std::span<const sphere::Vector> points, double error_m);

// kMeshSide x kMeshSide vertices from the south-west, row after row, and one more around them on
// each side, for normals. Two tiles of a zoom compute a shared vertex alike, to the last bit.
class MeshGrid {
 public:
  // Vertices in a row, with those around.
  static constexpr int kSide = kMeshSide + 2;

  // Rows of the tile count from the south.
  explicit MeshGrid(const GlobeTile& tile);

  // u or v of a column or row: 0 to kQuantizedMax. Vertices are exactly there.
  static std::uint16_t QuantizedAt(int n);

  // The places where heights are sampled, as directions on the sphere: kSide x kSide, then four for
  // each pole that the tile has. Geodetic latitudes are used as the world's latitudes.
  std::vector<sphere::Vector> Directions() const;

  // The index of a vertex in Directions; columns and rows are from -1 to kMeshSide.
  static std::size_t IndexOf(int column, int row) {
    return static_cast<std::size_t>(row + 1) * kSide + static_cast<std::size_t>(column + 1);
  }

  // The points above an ellipsoid at the directions' heights in metres, in their order.
  std::vector<sphere::Vector> Points(const Ellipsoid& ellipsoid,
                                     const std::vector<std::int32_t>& heights) const;

  // A vertex's unit normal, from the points around it. At a pole, where all columns are one vertex,
  // from four vertices around it on the next row, which are the same for every tile.
  sphere::Vector NormalAt(const std::vector<sphere::Vector>& points, int column, int row) const;

  // The point of a vertex above the ellipsoid.
  sphere::Vector PointAt(const Ellipsoid& ellipsoid, int column, int row, double height_m) const;

 private:
  struct Place {
    Angle latitude;
    Angle longitude;
  };

  std::vector<Place> Places() const;
  bool IsPole(int row) const;

  bool has_south_pole_;
  bool has_north_pole_;
  std::array<Angle, kSide> longitudes_;
  std::array<Angle, kSide> latitudes_;
};

}  // namespace thalweg::geographic
