#include "server/tiles3d/content_mesh.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "server/geographic/vectors.h"
#include "server/tiles3d/ground.h"

namespace thalweg::tiles3d {
namespace {

using geographic::Difference;
using geographic::Length;
using geographic::Scaled;
using geographic::Sum;

constexpr int kSide = wire::kTileVertices;
// The number of vertices on the mesh's edge.
constexpr int kRing = 4 * kMeshCells;

std::size_t SampleOf(int column, int row) {
  return static_cast<std::size_t>(row) * kSide + static_cast<std::size_t>(column);
}

// A vertex of the mesh.
struct GridVertex {
  int column = 0;
  int row = 0;
};

std::size_t NumberOf(const GridVertex& at) {
  return static_cast<std::size_t>(at.row) * kMeshSide + static_cast<std::size_t>(at.column);
}

// The nth vertex of the edge, clockwise from the north-west.
GridVertex OnRing(int n) {
  const int along = n % kMeshCells;
  switch (n / kMeshCells % 4) {
    case 0:
      return {along, 0};
    case 1:
      return {kMeshCells, along};
    case 2:
      return {kMeshCells - along, kMeshCells};
    default:
      return {0, kMeshCells - along};
  }
}

// Visits all vertices of the mesh in order, with whether each belongs to the skirt.
template <typename Visit>
void ForEachVertex(const Visit& visit) {
  for (int row = 0; row < kMeshSide; ++row) {
    for (int column = 0; column < kMeshSide; ++column) visit(GridVertex{column, row}, false);
  }
  for (int n = 0; n < kRing; ++n) visit(OnRing(n), true);
}

std::vector<std::uint16_t> Indices() {
  std::vector<std::uint16_t> indices;
  const auto triangle = [&indices](std::size_t a, std::size_t b, std::size_t c) {
    for (const std::size_t n : {a, b, c}) indices.push_back(static_cast<std::uint16_t>(n));
  };
  for (int row = 0; row < kMeshCells; ++row) {
    for (int column = 0; column < kMeshCells; ++column) {
      const std::size_t west = NumberOf({column, row});
      triangle(west, west + kMeshSide, west + 1);
      triangle(west + 1, west + kMeshSide, west + kMeshSide + 1);
    }
  }
  constexpr std::size_t kSkirt = std::size_t{kMeshSide} * kMeshSide;
  for (int n = 0; n < kRing; ++n) {
    const int next = (n + 1) % kRing;
    const std::size_t low = kSkirt + static_cast<std::size_t>(n);
    const std::size_t next_low = kSkirt + static_cast<std::size_t>(next);
    triangle(NumberOf(OnRing(n)), NumberOf(OnRing(next)), low);
    triangle(NumberOf(OnRing(next)), next_low, low);
  }
  return indices;
}

class Mesher {
 public:
  Mesher(const wire::TileKey& key, const geographic::Ellipsoid& ellipsoid, const Ground& ground)
      : ellipsoid_(ellipsoid), heights_(ground.heights) {
    directions_.reserve(heights_.size());
    for (int row = 0; row < kSide; ++row) {
      for (int column = 0; column < kSide; ++column) {
        directions_.push_back(DirectionOf(key, column, row));
      }
    }
  }

  sphere::Point SampleAt(int column, int row, double depth_m = 0) const {
    const std::size_t n = SampleOf(column, row);
    return geographic::PointAbove(ellipsoid_, directions_[n],
                                  std::ldexp(heights_[n], -16) - depth_m);
  }

  std::vector<LatticePoint> Points(double step_m, double skirt_m) const {
    std::vector<LatticePoint> points;
    ForEachVertex([&](const GridVertex& at, bool skirt) {
      points.push_back(OnLattice(
          SampleAt(at.column * kMeshStride, at.row * kMeshStride, skirt ? skirt_m : 0), step_m));
    });
    return points;
  }

  // The max distance of the samples from the mesh, in metres.
  double DeviationM(const std::vector<LatticePoint>& points, double step_m) const {
    double largest_m = 0;
    for (int row = 0; row < kSide; ++row) {
      for (int column = 0; column < kSide; ++column) {
        const sphere::Point shown = ShownAt(points, step_m, column, row);
        largest_m = std::max(largest_m, Length(Difference(SampleAt(column, row), shown)));
      }
    }
    return largest_m;
  }

 private:
  // The point of the mesh at the place of a sample.
  static sphere::Point ShownAt(const std::vector<LatticePoint>& points, double step_m, int column,
                               int row) {
    const GridVertex cell = {std::min(column / kMeshStride, kMeshCells - 1),
                             std::min(row / kMeshStride, kMeshCells - 1)};
    const double east = static_cast<double>(column) / kMeshStride - cell.column;
    const double south = static_cast<double>(row) / kMeshStride - cell.row;
    const auto corner = [&](int right, int down) {
      return PointOf(points[NumberOf({cell.column + right, cell.row + down})], step_m);
    };
    // The corner of the triangle on this side of the diagonal from south-west to north-east.
    const bool first = east + south <= 1;
    const sphere::Point at = first ? corner(0, 0) : corner(1, 1);
    const auto part = [&](const sphere::Point& to, double share) {
      return Scaled(Difference(to, at), share);
    };
    return Sum(at, Sum(part(first ? corner(1, 0) : corner(0, 1), first ? east : 1 - east),
                       part(first ? corner(0, 1) : corner(1, 0), first ? south : 1 - south)));
  }

  const geographic::Ellipsoid& ellipsoid_;
  std::span<const std::int32_t> heights_;
  std::vector<sphere::Point> directions_;
};

// The middle of the points' box, and half of its longest side.
struct Extent {
  LatticePoint origin{};
  std::int64_t half = 0;
};

Extent ExtentOf(const std::vector<LatticePoint>& points) {
  Extent extent;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto along = [axis](const LatticePoint& point) { return point[axis]; };
    const auto [min, max] = std::ranges::minmax(points, {}, along);
    extent.origin[axis] = min[axis] + (max[axis] - min[axis]) / 2;
    extent.half = std::max(extent.half, max[axis] - extent.origin[axis]);
  }
  return extent;
}

std::array<std::int8_t, 3> PackedNormal(const sphere::Point& unit) {
  const auto packed = [](double part) { return static_cast<std::int8_t>(std::lround(127 * part)); };
  return {packed(unit.x), packed(unit.y), packed(unit.z)};
}

}  // namespace

ContentMesh MakeContentMesh(const wire::TileKey& key, const geographic::Ellipsoid& ellipsoid,
                            const Ground& ground, double skirt_m) {
  const Mesher mesher(key, ellipsoid, ground);
  ContentMesh mesh;
  mesh.step_m = StepM(ellipsoid, key.level);
  std::vector<LatticePoint> points = mesher.Points(mesh.step_m, skirt_m);
  Extent extent = ExtentOf(points);
  while (extent.half > kMaxSteps) {
    mesh.step_m *= 2;
    points = mesher.Points(mesh.step_m, skirt_m);
    extent = ExtentOf(points);
  }
  mesh.origin = extent.origin;
  mesh.vertices.reserve(points.size());
  ForEachVertex([&](const GridVertex& at, bool) {
    const LatticePoint& point = points[mesh.vertices.size()];
    const int column = at.column * kMeshStride;
    const int row = at.row * kMeshStride;
    ContentVertex& vertex = mesh.vertices.emplace_back();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      vertex.position[axis] = static_cast<std::int16_t>(point[axis] - mesh.origin[axis]);
    }
    vertex.normal = PackedNormal(ground.normals[SampleOf(column, row)]);
    vertex.pixel = {static_cast<std::int16_t>(column), static_cast<std::int16_t>(row)};
  });
  mesh.indices = Indices();
  mesh.deviation_m = mesher.DeviationM(points, mesh.step_m);
  return mesh;
}

}  // namespace thalweg::tiles3d
