#include "server/geographic/mesh_grid.h"

#include <cmath>

#include "server/geographic/quantized_mesh.h"
#include "server/geographic/vectors.h"

namespace thalweg::geographic {
namespace {

constexpr int kAroundPole = 4;

// The position of a column or row, also of those around, in quantized steps from the tile's edge.
std::int64_t StepsAt(int n) {
  if (n < 0) return std::int64_t{MeshGrid::QuantizedAt(n + kMeshCells)} - kQuantizedMax;
  if (n > kMeshCells) return std::int64_t{MeshGrid::QuantizedAt(n - kMeshCells)} + kQuantizedMax;
  return MeshGrid::QuantizedAt(n);
}

}  // namespace

std::uint16_t MeshGrid::QuantizedAt(int n) {
  return static_cast<std::uint16_t>((n * kQuantizedMax + kMeshCells / 2) / kMeshCells);
}

MeshGrid::MeshGrid(const GlobeTile& tile)
    : has_south_pole_(tile.y == 0), has_north_pole_(tile.y == RowsAt(tile.zoom) - 1) {
  // Counted in whole steps around the globe, so that a vertex has the same longitude and latitude
  // in each tile that has it.
  const std::int64_t around = ColumnsAt(Tiling::kGeographic, tile.zoom) * kQuantizedMax;
  const std::int64_t along = RowsAt(tile.zoom) * kQuantizedMax;
  for (int n = -1; n <= kMeshSide; ++n) {
    const auto index = static_cast<std::size_t>(std::int64_t{n} + 1);
    const std::int64_t x = (tile.x * kQuantizedMax + StepsAt(n) + around) % around;
    longitudes_[index] = AngleOf(360 * static_cast<double>(x) / static_cast<double>(around) - 180);
    const std::int64_t y = tile.y * kQuantizedMax + StepsAt(n);
    latitudes_[index] = AngleOf(180 * static_cast<double>(y) / static_cast<double>(along) - 90);
  }
}

bool MeshGrid::IsPole(int row) const {
  return (row == 0 && has_south_pole_) || (row == kMeshCells && has_north_pole_);
}

std::vector<MeshGrid::Place> MeshGrid::Places() const {
  std::vector<Place> places;
  places.reserve(std::size_t{kSide} * kSide + std::size_t{2} * kAroundPole);
  for (const Angle& latitude : latitudes_) {
    for (const Angle& longitude : longitudes_) places.push_back({latitude, longitude});
  }
  for (const int row : {0, kMeshCells}) {
    if (!IsPole(row)) continue;
    const Angle& latitude = latitudes_[static_cast<std::size_t>(row == 0 ? 2 : kMeshCells)];
    for (int quarter = 0; quarter < kAroundPole; ++quarter) {
      places.push_back({latitude, AngleOf(90 * quarter)});
    }
  }
  return places;
}

std::vector<sphere::Point> MeshGrid::Directions() const {
  std::vector<sphere::Point> directions;
  for (const Place& place : Places()) {
    directions.push_back(DirectionAt(place.latitude, place.longitude));
  }
  return directions;
}

std::vector<sphere::Point> MeshGrid::Points(const Ellipsoid& ellipsoid,
                                            const std::vector<std::int32_t>& heights) const {
  std::vector<sphere::Point> points;
  for (const Place& place : Places()) {
    const double height_m = std::ldexp(heights[points.size()], -16);
    points.push_back(PointAbove(ellipsoid, place.latitude, place.longitude, height_m));
  }
  return points;
}

sphere::Point MeshGrid::PointAt(const Ellipsoid& ellipsoid, int column, int row,
                                double height_m) const {
  return PointAbove(ellipsoid, latitudes_[static_cast<std::size_t>(std::int64_t{row} + 1)],
                    longitudes_[static_cast<std::size_t>(std::int64_t{column} + 1)], height_m);
}

sphere::Point MeshGrid::NormalAt(const std::vector<sphere::Point>& points, int column,
                                 int row) const {
  const auto along = [&](std::size_t to, std::size_t from) {
    return Difference(points[to], points[from]);
  };
  if (!IsPole(row)) {
    return UnitOf(Cross(along(IndexOf(column + 1, row), IndexOf(column - 1, row)),
                        along(IndexOf(column, row + 1), IndexOf(column, row - 1))));
  }
  const bool is_second = row != 0 && has_south_pole_;
  const std::size_t first = std::size_t{kSide} * kSide + (is_second ? kAroundPole : 0);
  const sphere::Point up = UnitOf(Cross(along(first, first + 2), along(first + 1, first + 3)));
  return row == 0 ? Scaled(up, -1) : up;
}

}  // namespace thalweg::geographic
