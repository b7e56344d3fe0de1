#include "client/tools/mesh/terrain_mesh.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "proto/picture/glb.h"
#include "thalweg/layer.h"

namespace thalweg::mesh {
namespace {

using nlohmann::ordered_json;

using Triangles = std::vector<std::uint32_t>;

// The mesh is simplified in blocks of this many cells on a side. A bad vertex stops only its block.
constexpr int kBlockCells = 16;

std::vector<Vertex> VerticesOf(const Heightfield& field) {
  const survey::Grid<std::int32_t>& height = field.height_q16;
  std::vector<Vertex> vertices;
  vertices.reserve(height.values.size());
  for (int y = 0; y < height.height; ++y) {
    for (int x = 0; x < height.width; ++x) {
      const double east_m = (x - (height.width - 1) / 2.0) * field.cell_m;
      const double south_m = (y - (height.height - 1) / 2.0) * field.cell_m;
      const double up_m = height.At(x, y) / 65536.0 - field.origin_up_m;
      const Normal normal = UnpackNormal(field.normal.At(x, y));
      // Packed normals are rounded, but glTF requires length 1.
      const float scale = 1 / std::hypot(normal.east, normal.up, normal.south);
      vertices.push_back(
          {{static_cast<float>(east_m), static_cast<float>(up_m), static_cast<float>(south_m)},
           {normal.east * scale, normal.up * scale, normal.south * scale},
           {static_cast<float>((x + 0.5) / height.width),
            static_cast<float>((y + 0.5) / height.height)}});
    }
  }
  return vertices;
}

// Makes two triangles for each cell. Diagonals alternate from cell to cell, so that no direction is
// preferred.
Triangles AllTriangles(int width, int height) {
  Triangles indices;
  const auto at = [&](int x, int y) { return static_cast<std::uint32_t>(y * width + x); };
  for (int y = 0; y + 1 < height; ++y) {
    for (int x = 0; x + 1 < width; ++x) {
      const std::uint32_t north_west = at(x, y);
      const std::uint32_t north_east = at(x + 1, y);
      const std::uint32_t south_west = at(x, y + 1);
      const std::uint32_t south_east = at(x + 1, y + 1);
      if ((x + y) % 2 == 0) {
        indices.insert(indices.end(),
                       {north_west, south_west, south_east, north_west, south_east, north_east});
      } else {
        indices.insert(indices.end(),
                       {north_west, south_west, north_east, north_east, south_west, south_east});
      }
    }
  }
  return indices;
}

// Groups triangles by the block of cells that their middle lies in; blocks are in a fixed order.
std::map<std::pair<int, int>, Triangles> InBlocks(const Triangles& indices, int width, int offset) {
  std::map<std::pair<int, int>, Triangles> blocks;
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    int x = 0;
    int y = 0;
    for (std::size_t corner = i; corner < i + 3; ++corner) {
      x += static_cast<int>(indices[corner]) % width;
      y += static_cast<int>(indices[corner]) / width;
    }
    Triangles& block = blocks[{(y / 3 + offset) / kBlockCells, (x / 3 + offset) / kBlockCells}];
    block.insert(block.end(), {indices[i], indices[i + 1], indices[i + 2]});
  }
  return blocks;
}

// Returns the block's triangles with fewer vertices and the same border. meshoptimizer computes in
// floats relative to the vertices' extent. Blocks are small because for a whole region its rounding
// would be as large as the requested error.
Triangles Collapsed(const std::vector<Vertex>& vertices, const Triangles& block, double target_m) {
  Triangles used = block;
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::vector<std::array<float, 3>> positions;
  for (const std::uint32_t vertex : used) positions.push_back(vertices[vertex].position);
  Triangles local;
  for (const std::uint32_t vertex : block) {
    local.push_back(
        static_cast<std::uint32_t>(std::ranges::lower_bound(used, vertex) - used.begin()));
  }
  const float* const points = positions.front().data();
  const float extent_m = meshopt_simplifyScale(points, positions.size(), sizeof(positions.front()));
  Triangles collapsed(local.size());
  constexpr std::size_t kAsFewAsCanBe = 0;
  collapsed.resize(meshopt_simplify(collapsed.data(), local.data(), local.size(), points,
                                    positions.size(), sizeof(positions.front()), kAsFewAsCanBe,
                                    static_cast<float>(target_m) / extent_m,
                                    meshopt_SimplifyLockBorder, nullptr));
  for (std::uint32_t& vertex : collapsed) vertex = used[vertex];
  return collapsed;
}

// Simplifies a block. meshoptimizer's error is a mean over planes, so the result is measured, and
// simplified again with a smaller target until it is good enough.
Triangles SimplifiedBlock(const std::vector<Vertex>& vertices, int width, const Triangles& block,
                          double max_error_m) {
  constexpr int kMaxAttempts = 10;
  double target_m = max_error_m;
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    Triangles collapsed = Collapsed(vertices, block, target_m);
    const double error_m = VerticalErrorM(vertices, width, collapsed);
    if (error_m <= max_error_m) return collapsed;
    target_m *= std::clamp(0.9 * max_error_m / error_m, 0.6, 0.85);
  }
  return block;
}

// Simplifies several times; each time the blocks cover the borders of the previous ones.
Triangles Simplified(const std::vector<Vertex>& vertices, int width, Triangles indices,
                     double max_error_m) {
  for (const int quarters : {0, 2, 1, 3}) {
    const auto blocks = InBlocks(indices, width, quarters * kBlockCells / 4);
    indices.clear();
    for (const auto& [place, block] : blocks) {
      const Triangles simplified = SimplifiedBlock(vertices, width, block, max_error_m);
      indices.insert(indices.end(), simplified.begin(), simplified.end());
    }
  }
  return indices;
}

// Orders triangles and vertices for caches, and removes vertices that no triangle uses.
void Pack(const std::vector<Vertex>& vertices, TerrainMesh& mesh) {
  meshopt_optimizeVertexCache(mesh.indices.data(), mesh.indices.data(), mesh.indices.size(),
                              vertices.size());
  mesh.vertices.resize(vertices.size());
  mesh.vertices.resize(meshopt_optimizeVertexFetch(mesh.vertices.data(), mesh.indices.data(),
                                                   mesh.indices.size(), vertices.data(),
                                                   vertices.size(), sizeof(Vertex)));
}

// The bounds of positions, which glTF requires.
struct Bounds {
  std::array<float, 3> min;
  std::array<float, 3> max;
};

Bounds BoundsOf(const TerrainMesh& mesh) {
  constexpr float kFar = std::numeric_limits<float>::max();
  Bounds bounds{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
  for (const Vertex& vertex : mesh.vertices) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      bounds.min[axis] = std::min(bounds.min[axis], vertex.position[axis]);
      bounds.max[axis] = std::max(bounds.max[axis], vertex.position[axis]);
    }
  }
  return bounds;
}

// The material: rough, with a picture or grey.
ordered_json MaterialOf(bool has_picture) {
  ordered_json roughness;
  if (has_picture) {
    roughness["baseColorTexture"] = {{"index", 0}};
  } else {
    roughness["baseColorFactor"] = {0.5, 0.5, 0.5, 1};
  }
  roughness["metallicFactor"] = 0;
  roughness["roughnessFactor"] = 1;
  return {{"pbrMetallicRoughness", std::move(roughness)}};
}

// Adds the picture, which is in this view. It is not repeated.
void AddPicture(int view, ordered_json& document) {
  document["images"] = ordered_json::array({{{"mimeType", "image/png"}, {"bufferView", view}}});
  document["samplers"] = ordered_json::array(
      {{{"magFilter", 9729}, {"minFilter", 9987}, {"wrapS", 33071}, {"wrapT", 33071}}});
  document["textures"] = ordered_json::array({{{"source", 0}, {"sampler", 0}}});
}

ordered_json DocumentOf(const TerrainMesh& mesh, std::size_t png_bytes, const std::string& name,
                        const ordered_json& extras) {
  const std::size_t vertices = mesh.vertices.size();
  const std::size_t vertex_bytes = vertices * sizeof(Vertex);
  const std::size_t index_bytes = mesh.indices.size() * sizeof(std::uint32_t);
  const auto accessor = [](int view, std::size_t offset, int component, std::size_t count,
                           const char* type) {
    return ordered_json{{"bufferView", view},
                        {"byteOffset", offset},
                        {"componentType", component},
                        {"count", count},
                        {"type", type}};
  };
  ordered_json positions = accessor(0, offsetof(Vertex, position), gltf::kFloat, vertices, "VEC3");
  const Bounds bounds = BoundsOf(mesh);
  positions["min"] = bounds.min;
  positions["max"] = bounds.max;
  const ordered_json primitive = {
      {"attributes", {{"POSITION", 0}, {"NORMAL", 1}, {"TEXCOORD_0", 2}}},
      {"indices", 3},
      {"material", 0}};
  ordered_json document = {
      {"asset", {{"version", "2.0"}, {"generator", "thalweg"}, {"extras", extras}}},
      {"scene", 0},
      {"scenes", ordered_json::array({{{"nodes", {0}}}})},
      {"nodes", ordered_json::array({{{"name", name}, {"mesh", 0}}})},
      {"meshes",
       ordered_json::array({{{"name", name}, {"primitives", ordered_json::array({primitive})}}})},
      {"materials", ordered_json::array({MaterialOf(png_bytes > 0)})}};
  if (png_bytes > 0) AddPicture(2, document);
  document["accessors"] = {std::move(positions),
                           accessor(0, offsetof(Vertex, normal), gltf::kFloat, vertices, "VEC3"),
                           accessor(0, offsetof(Vertex, uv), gltf::kFloat, vertices, "VEC2"),
                           accessor(1, 0, gltf::kUint32, mesh.indices.size(), "SCALAR")};
  document["bufferViews"] = {gltf::BufferView(0, vertex_bytes, sizeof(Vertex), gltf::kVertices),
                             gltf::BufferView(vertex_bytes, index_bytes, 0, gltf::kIndices)};
  if (png_bytes > 0) {
    document["bufferViews"].push_back(
        gltf::BufferView(vertex_bytes + index_bytes, png_bytes, 0, 0));
  }
  document["buffers"] =
      ordered_json::array({{{"byteLength", vertex_bytes + index_bytes + png_bytes}}});
  return document;
}

}  // namespace

double VerticalErrorM(const std::vector<Vertex>& grid, int width, const Triangles& indices) {
  double largest = 0;
  struct Point {
    int x;
    int y;
    double up;
  };
  const auto point = [&](std::uint32_t index) {
    const int vertex = static_cast<int>(index);
    return Point{vertex % width, vertex / width, static_cast<double>(grid[index].position[1])};
  };
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    const Point a = point(indices[i]);
    const Point b = point(indices[i + 1]);
    const Point c = point(indices[i + 2]);
    // Twice the area, negative because rows go south; exact, like the weights of the corners.
    const int area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    if (area > 0) return std::numeric_limits<double>::infinity();
    // A degenerate triangle: its neighbours measure its vertices.
    if (area == 0) continue;
    const auto [west, east] = std::minmax({a.x, b.x, c.x});
    const auto [north, south] = std::minmax({a.y, b.y, c.y});
    for (int y = north; y <= south; ++y) {
      for (int x = west; x <= east; ++x) {
        const int of_b = (x - a.x) * (c.y - a.y) - (c.x - a.x) * (y - a.y);
        const int of_c = (b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y);
        const int of_a = area - of_b - of_c;
        if (of_a > 0 || of_b > 0 || of_c > 0) continue;
        const auto vertex = static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                            static_cast<std::size_t>(x);
        const double up = (of_a * a.up + of_b * b.up + of_c * c.up) / area;
        largest = std::max(largest, std::abs(up - static_cast<double>(grid[vertex].position[1])));
      }
    }
  }
  return largest;
}

TerrainMesh MakeMesh(const Heightfield& field, double max_error_m) {
  const int width = field.height_q16.width;
  const std::vector<Vertex> vertices = VerticesOf(field);
  TerrainMesh mesh{.vertices = {}, .indices = AllTriangles(width, field.height_q16.height)};
  if (max_error_m > 0) {
    mesh.indices = Simplified(vertices, width, std::move(mesh.indices), max_error_m);
  }
  mesh.error_m = VerticalErrorM(vertices, width, mesh.indices);
  Pack(vertices, mesh);
  return mesh;
}

std::string EncodeGlb(const TerrainMesh& mesh, const std::string& png, const std::string& name,
                      const ordered_json& extras) {
  static_assert(sizeof(Vertex) == 32);
  std::string binary(reinterpret_cast<const char*>(mesh.vertices.data()),
                     mesh.vertices.size() * sizeof(Vertex));
  binary.append(reinterpret_cast<const char*>(mesh.indices.data()),
                mesh.indices.size() * sizeof(std::uint32_t));
  binary += png;
  return gltf::Glb(DocumentOf(mesh, png.size(), name, extras), std::move(binary));
}

}  // namespace thalweg::mesh
