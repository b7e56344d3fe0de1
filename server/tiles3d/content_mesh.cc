#include "server/tiles3d/content_mesh.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "proto/picture/shade.h"
#include "proto/wire/status_macros.h"
#include "server/raster/relief.h"
#include "server/tiles3d/cell.h"

namespace thalweg::tiles3d {
namespace {

// Turns a normal from east, south and up at a place of the ellipsoid, whose normal is `up`, to
// space. At a pole east is that of longitude 0, as in Compass.
sphere::Point InSpace(const picture::UnitNormal& normal, const sphere::Point& up) {
  const double across = std::hypot(up.x, up.y);
  const sphere::Point east =
      across > 0 ? sphere::Point{-up.y / across, up.x / across, 0} : sphere::Point{0, 1, 0};
  const sphere::Point south = geographic::Cross(east, up);
  return geographic::Sum(
      geographic::Scaled(up, static_cast<double>(normal.up)),
      geographic::Sum(geographic::Scaled(east, static_cast<double>(normal.east)),
                      geographic::Scaled(south, static_cast<double>(normal.south))));
}

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

double StepM(const geographic::Ellipsoid& ellipsoid, int level) {
  constexpr double kMaxDiagonal = 2.438'654'594'434'021;
  const double half_m = std::ldexp(ellipsoid.equatorial_m * kMaxDiagonal / 2, -level);
  return std::exp2(std::ceil(std::log2(half_m / static_cast<double>(kMaxSteps))));
}

LatticePoint OnLattice(const sphere::Point& point, double step_m) {
  const auto steps = [step_m](double metres) { return std::llround(metres / step_m); };
  return {steps(point.x), steps(point.y), steps(point.z)};
}

sphere::Point PointOf(const LatticePoint& point, double step_m) {
  const auto metres = [step_m](std::int64_t steps) { return static_cast<double>(steps) * step_m; };
  return {metres(point[0]), metres(point[1]), metres(point[2])};
}

absl::StatusOr<std::vector<sphere::Point>> NormalsOf(const raster::RasterQuery& query,
                                                     const raster::Grid& grid) {
  THALWEG_ASSIGN_OR_RETURN(const auto packed, raster::ValuesOf(grid, v1::LAYER_NORMAL));
  std::span<const std::int32_t> depths;
  if (const auto found = grid.layers.find(v1::LAYER_WATER_DEPTH); found != grid.layers.end()) {
    depths = found->second;
  }
  const raster::Compass compass(query);
  std::vector<sphere::Point> normals;
  normals.reserve(packed.size());
  for (std::size_t n = 0; n < packed.size(); ++n) {
    const int column = static_cast<int>(n) % grid.size;
    const int row = static_cast<int>(n) / grid.size;
    const sphere::Point up = DirectionOf(query.tile_query.key, column, row);
    const bool wet = !depths.empty() && depths[n] > 0;
    normals.push_back(wet ? up
                          : InSpace(compass.Turned(picture::NormalOf(packed[n]), column, row), up));
  }
  return normals;
}

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
