#include "server/geographic/mesh_grid.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "server/geographic/quantized_mesh.h"

namespace thalweg::geographic {
namespace {

struct Vertex {
  int x = 0;
  int y = 0;

  std::size_t number() const {
    return static_cast<std::size_t>(y) * kMeshSide + static_cast<std::size_t>(x);
  }
};

// A right triangle with its hypotenuse from a to b, clockwise.
struct RightTriangle {
  Vertex a;
  Vertex b;
  Vertex c;

  // Whether it is half a cell: then its hypotenuse has no vertex in the middle.
  bool IsLeast() const { return std::abs(a.x - c.x) + std::abs(a.y - c.y) <= 1; }
  Vertex Middle() const { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }
  RightTriangle FirstHalf() const { return {c, a, Middle()}; }
  RightTriangle SecondHalf() const { return {b, c, Middle()}; }
};

constexpr std::array<RightTriangle, 2> kWhole = {{
    {{0, 0}, {kMeshCells, kMeshCells}, {kMeshCells, 0}},
    {{kMeshCells, kMeshCells}, {0, 0}, {0, kMeshCells}},
}};

// All triangles that can be split, the larger ones first.
const std::vector<RightTriangle>& AllTriangles() {
  static const std::vector<RightTriangle> all = [] {
    std::vector<RightTriangle> made(kWhole.begin(), kWhole.end());
    for (std::size_t n = 0; n < made.size(); ++n) {
      const RightTriangle triangle = made[n];
      for (const RightTriangle& half : {triangle.FirstHalf(), triangle.SecondHalf()}) {
        if (!half.IsLeast()) made.push_back(half);
      }
    }
    return made;
  }();
  return all;
}

bool IsOnEdge(const Vertex& vertex) {
  return vertex.x == 0 || vertex.x == kMeshCells || vertex.y == 0 || vertex.y == kMeshCells;
}

// Twice the area of the triangle p, q, r; positive if it is clockwise.
int Doubled(const Vertex& p, const Vertex& q, const Vertex& r) {
  return (r.x - p.x) * (q.y - p.y) - (q.x - p.x) * (r.y - p.y);
}

class Network {
 public:
  Network(std::span<const sphere::Vector> points, double error_m)
      : points_(points), max_squared_(error_m * error_m), split_(points.size(), false) {
    const std::vector<RightTriangle>& all = AllTriangles();
    // Smaller triangles first, since a triangle with a split half is split too. The two triangles
    // at a hypotenuse share its middle, so both are split or none.
    std::for_each(all.rbegin(), all.rend(), [this](const RightTriangle& triangle) {
      if (MustSplit(triangle)) split_[triangle.Middle().number()] = true;
    });
  }

  void Emit(const RightTriangle& triangle, std::vector<Triangle>& out) const {
    if (!triangle.IsLeast() && split_[triangle.Middle().number()]) {
      Emit(triangle.FirstHalf(), out);
      Emit(triangle.SecondHalf(), out);
      return;
    }
    const auto number = [](const Vertex& vertex) {
      return static_cast<std::uint16_t>(vertex.number());
    };
    out.push_back({number(triangle.a), number(triangle.c), number(triangle.b)});
  }

 private:
  bool MustSplit(const RightTriangle& triangle) const {
    const Vertex middle = triangle.Middle();
    return IsOnEdge(middle) || split_[middle.number()] || IsPartSplit(triangle.FirstHalf()) ||
           IsPartSplit(triangle.SecondHalf()) || !IsClose(triangle);
  }

  bool IsPartSplit(const RightTriangle& half) const {
    return !half.IsLeast() && split_[half.Middle().number()];
  }

  // Whether all points that the triangle covers are close to it.
  bool IsClose(const RightTriangle& triangle) const {
    const auto [a, b, c] = triangle;
    const sphere::Vector& at_a = points_[a.number()];
    const sphere::Vector& at_b = points_[b.number()];
    const sphere::Vector& at_c = points_[c.number()];
    const double share = 1.0 / Doubled(a, b, c);
    const auto [min_x, max_x] = std::minmax({a.x, b.x, c.x});
    const auto [min_y, max_y] = std::minmax({a.y, b.y, c.y});
    for (int y = min_y; y <= max_y; ++y) {
      for (int x = min_x; x <= max_x; ++x) {
        const Vertex vertex{x, y};
        const int of_a = Doubled(vertex, b, c);
        const int of_b = Doubled(a, vertex, c);
        const int of_c = Doubled(a, b, vertex);
        if (of_a < 0 || of_b < 0 || of_c < 0) continue;
        const sphere::Vector flat = of_a * share * at_a + of_b * share * at_b + of_c * share * at_c;
        const sphere::Vector off = points_[vertex.number()] - flat;
        if (Dot(off, off) > max_squared_) return false;
      }
    }
    return true;
  }

  const std::span<const sphere::Vector> points_;
  const double max_squared_;
  // By the vertex in the middle of a hypotenuse.
  std::vector<bool> split_;
};

constexpr int kAroundPole = 4;

// The position of a column or row, also of those around, in quantized steps from the tile's edge.
std::int64_t StepsAt(int n) {
  if (n < 0) return std::int64_t{MeshGrid::QuantizedAt(n + kMeshCells)} - kQuantizedMax;
  if (n > kMeshCells) return std::int64_t{MeshGrid::QuantizedAt(n - kMeshCells)} + kQuantizedMax;
  return MeshGrid::QuantizedAt(n);
}

}  // namespace

std::vector<Triangle> Triangulate(std::span<const sphere::Vector> points, double error_m) {
  const Network network(points, error_m);
  std::vector<Triangle> triangles;
  for (const RightTriangle& whole : kWhole) network.Emit(whole, triangles);
  return triangles;
}

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

std::vector<sphere::Vector> MeshGrid::Directions() const {
  std::vector<sphere::Vector> directions;
  for (const Place& place : Places()) {
    directions.push_back(DirectionAt(place.latitude, place.longitude));
  }
  return directions;
}

std::vector<sphere::Vector> MeshGrid::Points(const Ellipsoid& ellipsoid,
                                             const std::vector<std::int32_t>& heights) const {
  std::vector<sphere::Vector> points;
  for (const Place& place : Places()) {
    const double height_m = std::ldexp(heights[points.size()], -16);
    points.push_back(PointAbove(ellipsoid, place.latitude, place.longitude, height_m));
  }
  return points;
}

sphere::Vector MeshGrid::PointAt(const Ellipsoid& ellipsoid, int column, int row,
                                 double height_m) const {
  return PointAbove(ellipsoid, latitudes_[static_cast<std::size_t>(std::int64_t{row} + 1)],
                    longitudes_[static_cast<std::size_t>(std::int64_t{column} + 1)], height_m);
}

sphere::Vector MeshGrid::NormalAt(const std::vector<sphere::Vector>& points, int column,
                                  int row) const {
  const auto along = [&](std::size_t to, std::size_t from) { return points[to] - points[from]; };
  if (!IsPole(row)) {
    return Unit(Cross(along(IndexOf(column + 1, row), IndexOf(column - 1, row)),
                      along(IndexOf(column, row + 1), IndexOf(column, row - 1))));
  }
  const bool is_second = row != 0 && has_south_pole_;
  const std::size_t first = std::size_t{kSide} * kSide + (is_second ? kAroundPole : 0);
  const sphere::Vector up = Unit(Cross(along(first, first + 2), along(first + 1, first + 3)));
  return row == 0 ? -1 * up : up;
}

}  // namespace thalweg::geographic
