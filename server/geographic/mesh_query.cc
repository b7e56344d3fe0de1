#include "server/geographic/mesh_query.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/json_text.h"
#include "proto/wire/status_macros.h"
#include "server/geographic/mesh_grid.h"

namespace thalweg::geographic {
namespace {

// The version of the code that makes a mesh's bytes. Raise it with every change of meshes.
constexpr int kMeshVersion = 1;

constexpr Tiling kMeshTiling = Tiling::kGeographic;

tile::LayerChoice MeshSourceLayers(const world::World& world) {
  tile::LayerChoice layers = tile::LayerChoice::None();
  if (!HasWater(world)) {
    layers.Add(v1::LAYER_HEIGHT);
    return layers;
  }
  layers.Add(v1::LAYER_WATER_LEVEL);
  layers.Add(v1::LAYER_WATER_DEPTH);
  return layers;
}

absl::StatusOr<std::string> MeshOf(const MeshQuery& query,
                                   std::span<const tile::TileContents> tiles) {
  const world::World& world = *query.tile_query.world;
  const FaceSamples faces(query.tile_query, MeshGrid(query.tile).Directions());
  const bool has_water = HasWater(world);
  THALWEG_ASSIGN_OR_RETURN(SampledLayers layers, faces.Sample(tiles, [](v1::Layer layer) {
    // Nearest: half a cell at a shore must not become wet.
    return layer == v1::LAYER_WATER_DEPTH ? sampling::Rule::kNearest : sampling::Rule::kBilinear;
  }));
  MeshSamples samples;
  samples.heights = std::move(layers[has_water ? v1::LAYER_WATER_LEVEL : v1::LAYER_HEIGHT]);
  if (has_water) samples.depths = std::move(layers[v1::LAYER_WATER_DEPTH]);
  return Encode(MakeMesh(query.tile, EllipsoidOf(world.spec().sphere().radius_m()), samples,
                         query.extensions, MaxMeshZoom(world)));
}

constexpr char kLand = 0;
constexpr char kWater = static_cast<char>(255);

// Pixels in a row of the mask, and in a row of a cell.
constexpr int kPixels = 256;
constexpr int kInCell = kPixels / kMeshCells;

// The min step of a range, so that flat tiles have a range of a metre: clients divide by it.
constexpr double kMinStepM = 1.0 / 32'768;

// Whether floats hold both ends of a range with this step exactly.
bool IsExact(double min_m, double step_m) {
  const double max_m = min_m + kQuantizedMax * step_m;
  return static_cast<double>(static_cast<float>(max_m)) == max_m &&
         static_cast<double>(static_cast<float>(min_m)) == min_m;
}

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

int MaxMeshZoom(const world::World& world) {
  return MaxZoom(kMeshTiling, kMeshCells, world.levels());
}

absl::StatusOr<MeshQuery> ParseMeshQuery(const std::shared_ptr<const world::World>& world,
                                         const GlobeTile& tile, const MeshExtensions& extensions) {
  THALWEG_RETURN_IF_ERROR(CheckPlanet(*world));
  THALWEG_RETURN_IF_ERROR(CheckTile(kMeshTiling, tile, MaxMeshZoom(*world)));
  return MeshQuery{.tile_query = {.world = world,
                                  .key = {.level = LevelOf(kMeshTiling, kMeshCells, tile.zoom)},
                                  .layers = MeshSourceLayers(*world),
                                  .precision = v1::PRECISION_EXACT},
                   .tile = tile,
                   .extensions = extensions};
}

std::string IdentityOf(const MeshQuery& query) {
  const GlobeTile& tile = query.tile;
  const MeshExtensions& extensions = query.extensions;
  return absl::StrCat("mesh ", kMeshVersion, " ", query.tile_query.world->hex_id(), " ", tile.zoom,
                      " ", tile.x, " ", tile.y, " ", extensions.normals ? "n" : "",
                      extensions.water_mask ? "w" : "", extensions.metadata ? "m" : "");
}

raster::Recipe RecipeOf(const MeshQuery& query) {
  return {
      .identity = IdentityOf(query),
      .tiles =
          [query] {
            return FaceSamples(query.tile_query, MeshGrid(query.tile).Directions()).Tiles();
          },
      .make = [query](std::span<const tile::TileContents> tiles) { return MeshOf(query, tiles); }};
}

std::array<std::uint8_t, 2> OctahedralOf(const sphere::Vector& unit) {
  const double span = std::abs(unit.x) + std::abs(unit.y) + std::abs(unit.z);
  double u = unit.x / span;
  double v = unit.y / span;
  if (unit.z < 0) {
    const double upper_u = u;
    u = std::copysign(1 - std::abs(v), upper_u);
    v = std::copysign(1 - std::abs(upper_u), v);
  }
  const auto byte = [](double from_minus_1) {
    return static_cast<std::uint8_t>(std::floor((from_minus_1 * 0.5 + 0.5) * 255 + 0.5));
  };
  return {byte(u), byte(v)};
}

std::string WaterMaskOf(const std::vector<bool>& wet) {
  if (std::ranges::count(wet, wet.front()) == static_cast<std::ptrdiff_t>(wet.size())) {
    return {wet.front() ? kWater : kLand};
  }
  const auto at = [&](int column, int row) {
    return wet[static_cast<std::size_t>(row) * kMeshSide + static_cast<std::size_t>(column)] ? 1
                                                                                             : 0;
  };
  std::string mask;
  mask.reserve(std::size_t{kPixels} * kPixels);
  for (int y = 0; y < kPixels; ++y) {
    // Rows from the south, in eighths of a cell: the middle of a pixel is an odd number of them.
    const int up = kPixels - 1 - y;
    const int row = up / kInCell;
    const int north = 2 * (up % kInCell) + 1;
    for (int x = 0; x < kPixels; ++x) {
      const int column = x / kInCell;
      const int east = 2 * (x % kInCell) + 1;
      constexpr int kAll = 2 * kInCell;
      const int south_part = at(column, row) * (kAll - east) + at(column + 1, row) * east;
      const int north_part = at(column, row + 1) * (kAll - east) + at(column + 1, row + 1) * east;
      const int share = south_part * (kAll - north) + north_part * north;
      mask += 2 * share > kAll * kAll ? kWater : kLand;
    }
  }
  return mask;
}

double HeightStepM(double error_m) {
  return std::clamp(std::exp2(std::floor(std::log2(error_m / 4))), std::exp2(-8), 1.0);
}

double OnLatticeM(std::int32_t height, double step_m) {
  return std::floor(std::ldexp(height, -16) / step_m + 0.5) * step_m;
}

HeightRange RangeOf(double min_m, double max_m, double lattice_step_m) {
  double step_m = lattice_step_m;
  while (kQuantizedMax * step_m < max_m - min_m) step_m *= 2;
  while (step_m > kMinStepM && kQuantizedMax * step_m / 2 >= max_m - min_m &&
         IsExact(min_m, step_m / 2)) {
    step_m /= 2;
  }
  return {static_cast<float>(min_m), static_cast<float>(min_m + kQuantizedMax * step_m), step_m};
}

double MeshErrorM(const Ellipsoid& ellipsoid, int zoom) {
  const double spacing_m = std::numbers::pi * ellipsoid.equatorial_m / kMeshCells;
  return std::ldexp(spacing_m / 64, -zoom);
}

QuantizedMesh MakeMesh(const GlobeTile& tile, const Ellipsoid& ellipsoid,
                       const MeshSamples& samples, const MeshExtensions& extensions, int max_zoom) {
  const MeshGrid grid(tile);
  const std::vector<sphere::Vector> around = grid.Points(ellipsoid, samples.heights);
  std::vector<sphere::Vector> ground(kVertices);
  for (std::size_t n = 0; n < kVertices; ++n) ground[n] = around[SampleOf(n)];
  const double error_m = MeshErrorM(ellipsoid, tile.zoom);
  const double lattice_m = HeightStepM(error_m);
  Kept kept = KeptOf(Triangulate(ground, error_m - lattice_m / 2));

  std::vector<double> heights_m;
  std::vector<sphere::Vector> points;
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
  nlohmann::ordered_json zooms = nlohmann::ordered_json::array();
  const int last = std::min(tile.zoom + kMetadataZooms, max_zoom);
  for (int zoom = tile.zoom + 1; zoom <= last; ++zoom) {
    const std::int64_t tiles = std::int64_t{1} << (zoom - tile.zoom);
    const nlohmann::ordered_json below = {{"startX", tile.x * tiles},
                                          {"startY", tile.y * tiles},
                                          {"endX", (tile.x + 1) * tiles - 1},
                                          {"endY", (tile.y + 1) * tiles - 1}};
    zooms.push_back(nlohmann::ordered_json::array({below}));
  }
  return json::TextOf({{"available", std::move(zooms)}});
}

}  // namespace thalweg::geographic
