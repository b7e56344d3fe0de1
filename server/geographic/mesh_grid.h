// The vertices of a tile's mesh, before any are left out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "proto/sphere/cube_sphere.h"
#include "server/geographic/ellipsoid.h"
#include "server/geographic/right_triangles.h"
#include "server/geographic/tiling.h"

namespace thalweg::geographic {

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
  std::vector<sphere::Point> Directions() const;

  // The index of a vertex in Directions; columns and rows are from -1 to kMeshSide.
  static std::size_t IndexOf(int column, int row) {
    return static_cast<std::size_t>(row + 1) * kSide + static_cast<std::size_t>(column + 1);
  }

  // The points above an ellipsoid at the directions' heights in metres, in their order.
  std::vector<sphere::Point> Points(const Ellipsoid& ellipsoid,
                                    const std::vector<std::int32_t>& heights) const;

  // A vertex's unit normal, from the points around it. At a pole, where all columns are one vertex,
  // from four vertices around it on the next row, which are the same for every tile.
  sphere::Point NormalAt(const std::vector<sphere::Point>& points, int column, int row) const;

  // The point of a vertex above the ellipsoid.
  sphere::Point PointAt(const Ellipsoid& ellipsoid, int column, int row, double height_m) const;

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
