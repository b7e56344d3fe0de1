#include "server/geographic/mesh_tile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "absl/strings/str_cat.h"
#include "server/geographic/height_lattice.h"
#include "server/geographic/horizon.h"
#include "server/geographic/mesh_grid.h"
#include "server/geographic/octahedral.h"
#include "server/geographic/water_mask.h"

namespace thalweg::geographic {
namespace {

constexpr std::size_t kVertices = std::size_t{kMeshSide} * kMeshSide;

// A vertex of the grid, not counting those around.
struct GridVertex {
  int column = 0;
  int row = 0;
};

GridVertex VertexOf(std::size_t number) {
  const int n = static_cast<int>(number);
  return {n % kMeshSide, n / kMeshSide};
}

std::size_t SampleOf(std::size_t number) {
  const GridVertex vertex = VertexOf(number);
  return MeshGrid::IndexOf(vertex.column, vertex.row);
}

// The vertices that triangles use, in the order of their first use, and the triangles with the
// vertices' new numbers.
struct Kept {
  std::vector<std::size_t> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

Kept KeptOf(const std::vector<Triangle>& triangles) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> numbers(kVertices, kNone);
  Kept kept;
  for (const Triangle& triangle : triangles) {
    std::array<std::uint32_t, 3>& made = kept.triangles.emplace_back();
    for (std::size_t corner = 0; corner < 3; ++corner) {
      std::uint32_t& number = numbers[triangle[corner]];
      if (number == kNone) {
        number = static_cast<std::uint32_t>(kept.vertices.size());
        kept.vertices.push_back(triangle[corner]);
      }
      made[corner] = number;
    }
  }
  return kept;
}

std::string MaskOf(const MeshSamples& samples) {
  std::vector<bool> wet(kVertices);
  if (!samples.depths.empty()) {
    for (std::size_t n = 0; n < kVertices; ++n) wet[n] = samples.depths[SampleOf(n)] > 0;
  }
  return WaterMaskOf(wet);
}

}  // namespace

double MeshErrorM(const Ellipsoid& ellipsoid, int zoom) {
  const double spacing_m = std::numbers::pi * ellipsoid.equatorial_m / kMeshCells;
  return std::ldexp(spacing_m / 64, -zoom);
}

QuantizedMesh MakeMesh(const GlobeTile& tile, const Ellipsoid& ellipsoid,
                       const MeshSamples& samples, const MeshExtensions& extensions, int max_zoom) {
  const MeshGrid grid(tile);
  const std::vector<sphere::Point> around = grid.Points(ellipsoid, samples.heights);
  std::vector<sphere::Point> ground(kVertices);
  for (std::size_t n = 0; n < kVertices; ++n) ground[n] = around[SampleOf(n)];
  const double error_m = MeshErrorM(ellipsoid, tile.zoom);
  const double lattice_m = HeightStepM(error_m);
  Kept kept = KeptOf(Triangulate(ground, error_m - lattice_m / 2));

  std::vector<double> heights_m;
  std::vector<sphere::Point> points;
  for (const std::size_t n : kept.vertices) {
    const auto [column, row] = VertexOf(n);
    heights_m.push_back(OnLatticeM(samples.heights[SampleOf(n)], lattice_m));
    points.push_back(grid.PointAt(ellipsoid, column, row, heights_m.back()));
  }
  const auto [min, max] = std::ranges::minmax(heights_m);
  const HeightRange range = RangeOf(min, max, lattice_m);

  QuantizedMesh mesh;
  mesh.sphere = BoundingSphereOf(points);
  mesh.center = mesh.sphere.center;
  mesh.min_height_m = range.min_m;
  mesh.max_height_m = range.max_m;
  mesh.horizon = HorizonPointOf(points, ellipsoid, mesh.sphere.center, min);
  for (std::size_t k = 0; k < kept.vertices.size(); ++k) {
    const auto [column, row] = VertexOf(kept.vertices[k]);
    const double steps = std::floor((heights_m[k] - min) / range.step_m + 0.5);
    mesh.vertices.push_back({.u = MeshGrid::QuantizedAt(column),
                             .v = MeshGrid::QuantizedAt(row),
                             .height = static_cast<std::uint16_t>(steps)});
    if (extensions.normals) {
      mesh.normals.push_back(OctahedralOf(grid.NormalAt(around, column, row)));
    }
  }
  mesh.triangles = std::move(kept.triangles);
  if (extensions.water_mask) mesh.water_mask = MaskOf(samples);
  if (extensions.metadata) mesh.metadata = AvailabilityBelow(tile, max_zoom);
  return mesh;
}

std::string AvailabilityBelow(const GlobeTile& tile, int max_zoom) {
  if (tile.zoom % kMetadataZooms != 0) return "";
  std::string json = "{\"available\":[";
  const int last = std::min(tile.zoom + kMetadataZooms, max_zoom);
  for (int zoom = tile.zoom + 1; zoom <= last; ++zoom) {
    const std::int64_t tiles = std::int64_t{1} << (zoom - tile.zoom);
    absl::StrAppend(&json, zoom == tile.zoom + 1 ? "" : ",", "[{\"startX\":", tile.x * tiles,
                    ",\"startY\":", tile.y * tiles, ",\"endX\":", (tile.x + 1) * tiles - 1,
                    ",\"endY\":", (tile.y + 1) * tiles - 1, "}]");
  }
  return json + "]}";
}

}  // namespace thalweg::geographic
