#include "server/tiles3d/content_query.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "proto/gltf/glb.h"
#include "proto/wire/status_macros.h"
#include "server/geographic/ellipsoid.h"
#include "server/geographic/tiling.h"
#include "server/raster/grid.h"
#include "server/raster/raster_query.h"
#include "server/raster/render.h"

namespace thalweg::tiles3d {
namespace {

// The layout in the file: each attribute begins at a multiple of four bytes.
struct PackedVertex {
  std::array<std::int16_t, 3> position;
  std::int16_t position_padding;
  std::array<std::int8_t, 3> normal;
  std::int8_t normal_padding;
  std::array<std::uint16_t, 2> texture;
};
static_assert(sizeof(PackedVertex) == 16);

// Turns a vector from the axes of sphere::Point to those of glTF.
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

// The bounds of positions, which their accessor must have.
std::string BoundsOf(const std::vector<PackedVertex>& vertices) {
  std::array<int, 3> min = {32'767, 32'767, 32'767};
  std::array<int, 3> max = {-32'768, -32'768, -32'768};
  for (const PackedVertex& vertex : vertices) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      min[axis] = std::min<int>(min[axis], vertex.position[axis]);
      max[axis] = std::max<int>(max[axis], vertex.position[axis]);
    }
  }
  return absl::StrFormat(",\"min\":[%d,%d,%d],\"max\":[%d,%d,%d]", min[0], min[1], min[2], max[0],
                         max[1], max[2]);
}

std::string NodeOf(const ContentMesh& mesh) {
  const std::array<std::int64_t, 3> origin = Turned(mesh.origin);
  const auto metres = [&](std::size_t axis) {
    return static_cast<double>(origin[axis]) * mesh.step_m;
  };
  // 17 digits read back as the same number.
  return absl::StrFormat(
      "{\"mesh\":0,\"translation\":[%.17g,%.17g,%.17g],\"scale\":[%.17g,%.17g,%.17g]}", metres(0),
      metres(1), metres(2), mesh.step_m, mesh.step_m, mesh.step_m);
}

constexpr char kMaterials[] =
    "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0},"
    "\"metallicFactor\":0,\"roughnessFactor\":1},\"extensions\":{\"KHR_materials_unlit\":{}}}],"
    "\"textures\":[{\"sampler\":0,\"source\":0}],"
    // Linear, with mipmaps, clamped to the edge.
    "\"samplers\":[{\"magFilter\":9729,\"minFilter\":9987,\"wrapS\":33071,\"wrapT\":33071}],"
    "\"images\":[{\"bufferView\":2,\"mimeType\":\"image/png\"}]";

// The version of the code that turns values into these bytes. Raise it with every change of them.
constexpr int kContentVersion = 1;

// The picture for the mesh, with a pixel for each vertex of the tile.
raster::RasterQuery PictureOf(const ContentQuery& query) {
  return {.tile_query = query.tile_query,
          .format = raster::Format::kSatellite,
          .layer = v1::LAYER_COVER,
          .size = wire::kTileVertices};
}

std::string ExtrasOf(const ContentQuery& query, const ContentMesh& mesh) {
  return absl::StrFormat("{\"world\":\"%s\",\"step_m\":%.17g,\"deviation_m\":%.17g}",
                         query.tile_query.world->hex_id(), mesh.step_m, mesh.deviation_m);
}

absl::StatusOr<std::string> ContentOf(const ContentQuery& query,
                                      std::span<const tile::TileContents> tiles) {
  const world::World& world = *query.tile_query.world;
  const raster::RasterQuery picture = PictureOf(query);
  THALWEG_ASSIGN_OR_RETURN(const raster::Grid grid,
                           raster::MakeGrid({query.tile_query}, tiles, picture.size));
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

std::string EncodeContent(const ContentMesh& mesh, const std::string& png,
                          const std::string& extras) {
  std::vector<PackedVertex> vertices;
  vertices.reserve(mesh.vertices.size());
  for (const ContentVertex& vertex : mesh.vertices) vertices.push_back(Packed(vertex));
  std::string binary;
  Append(binary, vertices);
  const std::size_t indices_at = binary.size();
  Append(binary, mesh.indices);
  const std::size_t png_at = binary.size();
  binary += png;

  const auto attribute = [&](std::size_t offset, int component, bool normalized, const char* type,
                             const std::string& bounds) {
    return absl::StrCat("{\"bufferView\":0,\"byteOffset\":", offset,
                        ",\"componentType\":", component, normalized ? ",\"normalized\":true" : "",
                        ",\"count\":", vertices.size(), ",\"type\":\"", type, "\"", bounds, "}");
  };
  const std::string json = absl::StrCat(
      "{\"asset\":{\"version\":\"2.0\",\"generator\":\"thalweg\",\"extras\":", extras,
      "},\"extensionsUsed\":[\"KHR_mesh_quantization\",\"KHR_materials_unlit\"],"
      "\"extensionsRequired\":[\"KHR_mesh_quantization\"],\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
      "\"nodes\":[",
      NodeOf(mesh),
      "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,"
      "\"TEXCOORD_0\":2},\"indices\":3,\"material\":0}]}],",
      kMaterials, ",\"accessors\":[",
      attribute(offsetof(PackedVertex, position), gltf::kShort, false, "VEC3", BoundsOf(vertices)),
      ",", attribute(offsetof(PackedVertex, normal), gltf::kByte, true, "VEC3", ""), ",",
      attribute(offsetof(PackedVertex, texture), gltf::kUint16, true, "VEC2", ""),
      ",{\"bufferView\":1,\"componentType\":", gltf::kUint16, ",\"count\":", mesh.indices.size(),
      ",\"type\":\"SCALAR\"}],\"bufferViews\":[",
      gltf::BufferView(0, indices_at, sizeof(PackedVertex), gltf::kVertices), ",",
      gltf::BufferView(indices_at, mesh.indices.size() * sizeof(std::uint16_t), 0, gltf::kIndices),
      ",", gltf::BufferView(png_at, png.size(), 0, 0),
      "],\"buffers\":[{\"byteLength\":", binary.size(), "}]}");
  return gltf::Glb(json, std::move(binary));
}

absl::StatusOr<ContentQuery> ParseContentQuery(const std::shared_ptr<const world::World>& world,
                                               const Cell& cell) {
  THALWEG_RETURN_IF_ERROR(geographic::CheckPlanet(*world));
  THALWEG_RETURN_IF_ERROR(CheckCell(cell, *world));
  ContentQuery query{
      .tile_query = {
          .world = world, .key = TileOf(cell), .layers = {}, .precision = v1::PRECISION_EXACT}};
  query.tile_query.layers = raster::LayersOf(PictureOf(query));
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
