#include "server/tiles3d/content_query.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/picture/glb.h"
#include "proto/picture/shade.h"
#include "proto/wire/status_macros.h"
#include "server/geographic/tiling.h"
#include "server/raster/layer_grid.h"
#include "server/raster/relief.h"
#include "server/raster/render.h"

namespace thalweg::tiles3d {
namespace {

using nlohmann::ordered_json;

// Turns a normal from east, south and up at a place of the ellipsoid, whose normal is `up`, to
// space. At a pole east is that of longitude 0, as in Compass.
sphere::Vector InSpace(const picture::UnitNormal& normal, const sphere::Vector& up) {
  const double across = std::hypot(up.x, up.y);
  const sphere::Vector east =
      across > 0 ? sphere::Vector{-up.y / across, up.x / across, 0} : sphere::Vector{0, 1, 0};
  const sphere::Vector south = sphere::Cross(east, up);
  return static_cast<double>(normal.up) * up +
         (static_cast<double>(normal.east) * east + static_cast<double>(normal.south) * south);
}

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

  sphere::Vector SampleAt(int column, int row, double depth_m = 0) const {
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
        const sphere::Vector shown = ShownAt(points, step_m, column, row);
        largest_m = std::max(largest_m, Length(SampleAt(column, row) - shown));
      }
    }
    return largest_m;
  }

 private:
  // The point of the mesh at the place of a sample.
  static sphere::Vector ShownAt(const std::vector<LatticePoint>& points, double step_m, int column,
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
    const sphere::Vector at = first ? corner(0, 0) : corner(1, 1);
    const auto part = [&](const sphere::Vector& to, double share) { return share * (to - at); };
    return at + (part(first ? corner(1, 0) : corner(0, 1), first ? east : 1 - east) +
                 part(first ? corner(0, 1) : corner(1, 0), first ? south : 1 - south));
  }

  const geographic::Ellipsoid& ellipsoid_;
  std::span<const std::int32_t> heights_;
  std::vector<sphere::Vector> directions_;
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

std::array<std::int8_t, 3> PackedNormal(const sphere::Vector& unit) {
  const auto packed = [](double part) { return static_cast<std::int8_t>(std::lround(127 * part)); };
  return {packed(unit.x), packed(unit.y), packed(unit.z)};
}

// The layout in the file: each attribute begins at a multiple of four bytes.
struct PackedVertex {
  std::array<std::int16_t, 3> position;
  std::int16_t position_padding;
  std::array<std::int8_t, 3> normal;
  std::int8_t normal_padding;
  std::array<std::uint16_t, 2> texture;
};
static_assert(sizeof(PackedVertex) == 16);

// Turns a vector from the axes of sphere::Vector to those of glTF.
template <typename Number>
std::array<Number, 3> Turned(const std::array<Number, 3>& vector) {
  return {vector[0], vector[2], static_cast<Number>(-vector[1])};
}

// The middle of a pixel, as a part of the picture's side: 0 is 0, 65,535 is 1.
std::uint16_t TextureOf(std::int16_t pixel) {
  return static_cast<std::uint16_t>(std::lround((pixel + 0.5) / wire::kTileVertices * 65'535));
}

PackedVertex Packed(const ContentVertex& vertex) {
  return {.position = Turned(vertex.position),
          .position_padding = 0,
          .normal = Turned(vertex.normal),
          .normal_padding = 0,
          .texture = {TextureOf(vertex.pixel[0]), TextureOf(vertex.pixel[1])}};
}

template <typename T>
void Append(std::string& binary, const std::vector<T>& values) {
  binary.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  binary.resize((binary.size() + 3) / 4 * 4, '\0');
}

// The accessor of positions must have their bounds.
void AddBounds(const std::vector<PackedVertex>& vertices, ordered_json& accessor) {
  std::array<int, 3> min = {32'767, 32'767, 32'767};
  std::array<int, 3> max = {-32'768, -32'768, -32'768};
  for (const PackedVertex& vertex : vertices) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      min[axis] = std::min<int>(min[axis], vertex.position[axis]);
      max[axis] = std::max<int>(max[axis], vertex.position[axis]);
    }
  }
  accessor["min"] = min;
  accessor["max"] = max;
}

ordered_json NodeOf(const ContentMesh& mesh) {
  const std::array<std::int64_t, 3> origin = Turned(mesh.origin);
  const auto metres = [&](std::size_t axis) {
    return static_cast<double>(origin[axis]) * mesh.step_m;
  };
  return {{"mesh", 0},
          {"translation", {metres(0), metres(1), metres(2)}},
          {"scale", {mesh.step_m, mesh.step_m, mesh.step_m}}};
}

ordered_json MaterialOfPicture() {
  return {{"pbrMetallicRoughness",
           {{"baseColorTexture", {{"index", 0}}}, {"metallicFactor", 0}, {"roughnessFactor", 1}}},
          {"extensions", {{"KHR_materials_unlit", ordered_json::object()}}}};
}

// The version of the code that turns values into these bytes. Raise it with every change of them.
constexpr int kContentVersion = 2;

// The picture for the mesh, with a pixel for each vertex of the tile.
raster::RasterQuery PictureOf(const ContentQuery& query) {
  return {.tile_query = query.tile_query,
          .format = raster::Format::kSatellite,
          .layer = v1::LAYER_COVER,
          .size = wire::kTileVertices};
}

ordered_json ExtrasOf(const ContentQuery& query, const ContentMesh& mesh) {
  return {{"world", query.tile_query.world->hex_id()},
          {"step_m", mesh.step_m},
          {"deviation_m", mesh.deviation_m}};
}

absl::StatusOr<std::string> ContentOf(const ContentQuery& query,
                                      std::span<const tile::TileContents> tiles) {
  const world::World& world = *query.tile_query.world;
  const raster::RasterQuery picture = PictureOf(query);
  THALWEG_ASSIGN_OR_RETURN(const raster::LayerGrid grid,
                           raster::MakeLayerGrid({query.tile_query}, tiles, picture.size));
  THALWEG_ASSIGN_OR_RETURN(const auto heights, raster::ValuesOf(grid, SurfaceOf(world)));
  THALWEG_ASSIGN_OR_RETURN(const auto normals, NormalsOf(picture, grid));
  THALWEG_ASSIGN_OR_RETURN(const std::string png, raster::Render(picture, grid));
  const wire::TileKey& key = query.tile_query.key;
  const ContentMesh mesh =
      MakeContentMesh(key, geographic::EllipsoidOf(world.spec().sphere().radius_m()),
                      {.heights = heights, .normals = normals}, SkirtM(world, key.level));
  return EncodeContent(mesh, png, ExtrasOf(query, mesh));
}

}  // namespace

double StepM(const geographic::Ellipsoid& ellipsoid, int level) {
  constexpr double kMaxDiagonal = 2.438'654'594'434'021;
  const double half_m = std::ldexp(ellipsoid.equatorial_m * kMaxDiagonal / 2, -level);
  return std::exp2(std::ceil(std::log2(half_m / static_cast<double>(kMaxSteps))));
}

LatticePoint OnLattice(const sphere::Vector& point, double step_m) {
  const auto steps = [step_m](double metres) { return std::llround(metres / step_m); };
  return {steps(point.x), steps(point.y), steps(point.z)};
}

sphere::Vector PointOf(const LatticePoint& point, double step_m) {
  const auto metres = [step_m](std::int64_t steps) { return static_cast<double>(steps) * step_m; };
  return {metres(point[0]), metres(point[1]), metres(point[2])};
}

absl::StatusOr<std::vector<sphere::Vector>> NormalsOf(const raster::RasterQuery& query,
                                                      const raster::LayerGrid& grid) {
  THALWEG_ASSIGN_OR_RETURN(const auto packed, raster::ValuesOf(grid, v1::LAYER_NORMAL));
  std::span<const std::int32_t> depths;
  if (const auto found = grid.layers.find(v1::LAYER_WATER_DEPTH); found != grid.layers.end()) {
    depths = found->second;
  }
  const raster::Compass compass(query);
  std::vector<sphere::Vector> normals;
  normals.reserve(packed.size());
  for (std::size_t n = 0; n < packed.size(); ++n) {
    const int column = static_cast<int>(n) % grid.size;
    const int row = static_cast<int>(n) / grid.size;
    const sphere::Vector up = DirectionOf(query.tile_query.key, column, row);
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

std::string EncodeContent(const ContentMesh& mesh, const std::string& png,
                          const ordered_json& extras) {
  std::vector<PackedVertex> vertices;
  vertices.reserve(mesh.vertices.size());
  for (const ContentVertex& vertex : mesh.vertices) vertices.push_back(Packed(vertex));
  std::string binary;
  Append(binary, vertices);
  const std::size_t indices_at = binary.size();
  Append(binary, mesh.indices);
  const std::size_t png_at = binary.size();
  binary += png;

  const auto attribute = [&](std::size_t offset, int component, bool normalized, const char* type) {
    ordered_json accessor = {
        {"bufferView", 0}, {"byteOffset", offset}, {"componentType", component}};
    if (normalized) accessor["normalized"] = true;
    accessor["count"] = vertices.size();
    accessor["type"] = type;
    return accessor;
  };
  ordered_json positions = attribute(offsetof(PackedVertex, position), gltf::kShort, false, "VEC3");
  AddBounds(vertices, positions);
  const ordered_json indices = {{"bufferView", 1},
                                {"componentType", gltf::kUint16},
                                {"count", mesh.indices.size()},
                                {"type", "SCALAR"}};
  const ordered_json primitive = {
      {"attributes", {{"POSITION", 0}, {"NORMAL", 1}, {"TEXCOORD_0", 2}}},
      {"indices", 3},
      {"material", 0}};
  // Linear, with mipmaps, clamped to the edge.
  const ordered_json sampler = {
      {"magFilter", 9729}, {"minFilter", 9987}, {"wrapS", 33071}, {"wrapT", 33071}};
  ordered_json document = {
      {"asset", {{"version", "2.0"}, {"generator", "thalweg"}, {"extras", extras}}},
      {"extensionsUsed", ordered_json::array({"KHR_mesh_quantization", "KHR_materials_unlit"})},
      {"extensionsRequired", ordered_json::array({"KHR_mesh_quantization"})},
      {"scene", 0},
      {"scenes", ordered_json::array({{{"nodes", {0}}}})},
      {"nodes", ordered_json::array({NodeOf(mesh)})},
      {"meshes", ordered_json::array({{{"primitives", ordered_json::array({primitive})}}})},
      {"materials", ordered_json::array({MaterialOfPicture()})},
      {"textures", ordered_json::array({{{"sampler", 0}, {"source", 0}}})},
      {"samplers", ordered_json::array({sampler})},
      {"images", ordered_json::array({{{"bufferView", 2}, {"mimeType", "image/png"}}})},
      {"accessors",
       {std::move(positions), attribute(offsetof(PackedVertex, normal), gltf::kByte, true, "VEC3"),
        attribute(offsetof(PackedVertex, texture), gltf::kUint16, true, "VEC2"), indices}},
      {"bufferViews",
       {gltf::BufferView(0, indices_at, sizeof(PackedVertex), gltf::kVertices),
        gltf::BufferView(indices_at, mesh.indices.size() * sizeof(std::uint16_t), 0,
                         gltf::kIndices),
        gltf::BufferView(png_at, png.size(), 0, 0)}},
      {"buffers", ordered_json::array({{{"byteLength", binary.size()}}})}};
  return gltf::Glb(std::move(document), std::move(binary));
}

absl::StatusOr<ContentQuery> ParseContentQuery(const std::shared_ptr<const world::World>& world,
                                               const Cell& cell) {
  THALWEG_RETURN_IF_ERROR(geographic::CheckPlanet(*world));
  THALWEG_RETURN_IF_ERROR(CheckCell(cell, *world));
  ContentQuery query{
      .tile_query = {
          .world = world, .key = TileOf(cell), .layers = {}, .precision = v1::PRECISION_EXACT}};
  query.tile_query.layers = raster::SourceLayers(PictureOf(query));
  query.tile_query.layers.Add(SurfaceOf(*world));
  return query;
}

std::string IdentityOf(const ContentQuery& query) {
  const wire::TileKey& key = query.tile_query.key;
  return absl::StrCat("3d content ", kContentVersion, " ", query.tile_query.world->hex_id(), " ",
                      key.face, " ", key.level, " ", key.x, " ", key.y);
}

raster::Recipe RecipeOf(const ContentQuery& query) {
  return {
      .identity = IdentityOf(query),
      .tiles = [query] { return std::vector<tile::TileQuery>{query.tile_query}; },
      .make =
          [query](std::span<const tile::TileContents> tiles) { return ContentOf(query, tiles); }};
}

}  // namespace thalweg::tiles3d
