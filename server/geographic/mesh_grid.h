// Where the vertices of a tile's mesh lie, before any are left out.
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
// each side, for normals. Two tiles of a zoom compute shared vertices alike, to the last bit.
class MeshGrid {
 public:
  // Vertices in a row with those around.
  static constexpr int kSide = kMeshSide + 2;

  // Rows of the tile count from the south.
  explicit MeshGrid(const GlobeTile& tile);

  // u or v of a column or a row: 0 to kQuantizedMax. Vertices stand on these exactly.
  static std::uint16_t QuantizedAt(int n);

  // Where heights are to be sampled, as directions on the sphere: kSide x kSide, and then four for
  // each pole that the tile has. Geodetic latitudes are taken for those of the world.
  std::vector<sphere::Point> Directions() const;

  // A vertex among the directions: columns and rows from -1 to kMeshSide.
  static std::size_t IndexOf(int column, int row) {
    return static_cast<std::size_t>(row + 1) * kSide + static_cast<std::size_t>(column + 1);
  }

  // The points over an ellipsoid with the directions' heights in metres, in their order.
  std::vector<sphere::Point> Points(const Ellipsoid& ellipsoid,
                                    const std::vector<std::int32_t>& heights) const;

  // A vertex's unit normal, from the points around it. At a pole, where all columns are one vertex,
  // of four around it on the next row, the same ones for every tile.
  sphere::Point NormalAt(const std::vector<sphere::Point>& points, int column, int row) const;

  // One vertex of the tile over the ellipsoid.
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
