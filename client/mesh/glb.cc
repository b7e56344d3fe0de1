#include "client/mesh/glb.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "proto/gltf/glb.h"

namespace thalweg::mesh {
namespace {

// Returns the bounds of positions, which glTF requires.
std::string BoundsOf(const TerrainMesh& mesh) {
  constexpr float kFar = std::numeric_limits<float>::max();
  std::array<float, 3> min = {kFar, kFar, kFar};
  std::array<float, 3> max = {-kFar, -kFar, -kFar};
  for (const Vertex& vertex : mesh.vertices) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      min[axis] = std::min(min[axis], vertex.position[axis]);
      max[axis] = std::max(max[axis], vertex.position[axis]);
    }
  }
  const auto text = [](const std::array<float, 3>& point) {
    // With nine digits it reads back as the same float.
    return absl::StrFormat("[%.9g,%.9g,%.9g]", point[0], point[1], point[2]);
  };
  return absl::StrCat("\"min\":", text(min), ",\"max\":", text(max));
}

// The material: rough, with a picture or grey.
std::string MaterialOf(bool has_picture) {
  return absl::StrCat(
      "{\"pbrMetallicRoughness\":{",
      has_picture ? "\"baseColorTexture\":{\"index\":0}" : "\"baseColorFactor\":[0.5,0.5,0.5,1]",
      ",\"metallicFactor\":0,\"roughnessFactor\":1}}");
}

// The members for the picture, which is in this view. It is not repeated.
std::string PictureOf(int view) {
  return absl::StrCat("\"images\":[{\"mimeType\":\"image/png\",\"bufferView\":", view,
                      "}],\"samplers\":[{\"magFilter\":9729,\"minFilter\":9987,\"wrapS\":33071,"
                      "\"wrapT\":33071}],\"textures\":[{\"source\":0,\"sampler\":0}],");
}

std::string JsonOf(const TerrainMesh& mesh, std::size_t png_bytes, const std::string& name,
                   const std::string& extras) {
  const std::size_t vertex_bytes = mesh.vertices.size() * sizeof(Vertex);
  const std::size_t index_bytes = mesh.indices.size() * sizeof(std::uint32_t);
  const auto accessor = [&](int view, std::size_t offset, int component, std::size_t count,
                            const char* type, const std::string& bounds) {
    return absl::StrCat("{\"bufferView\":", view, ",\"byteOffset\":", offset,
                        ",\"componentType\":", component, ",\"count\":", count, ",\"type\":\"",
                        type, "\"", bounds.empty() ? "" : ",", bounds, "}");
  };
  const std::size_t vertices = mesh.vertices.size();
  return absl::StrCat(
      "{\"asset\":{\"version\":\"2.0\",\"generator\":\"thalweg\",\"extras\":", extras,
      "},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":", name,
      ",\"mesh\":0}],\"meshes\":[{\"name\":", name,
      ",\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2},\"indices\":"
      "3,"
      "\"material\":0}]}],\"materials\":[",
      MaterialOf(png_bytes > 0), "],", png_bytes > 0 ? PictureOf(2) : "", "\"accessors\":[",
      accessor(0, offsetof(Vertex, position), gltf::kFloat, vertices, "VEC3", BoundsOf(mesh)), ",",
      accessor(0, offsetof(Vertex, normal), gltf::kFloat, vertices, "VEC3", ""), ",",
      accessor(0, offsetof(Vertex, uv), gltf::kFloat, vertices, "VEC2", ""), ",",
      accessor(1, 0, gltf::kUint32, mesh.indices.size(), "SCALAR", ""), "],\"bufferViews\":[",
      gltf::BufferView(0, vertex_bytes, sizeof(Vertex), gltf::kVertices), ",",
      gltf::BufferView(vertex_bytes, index_bytes, 0, gltf::kIndices),
      png_bytes > 0
          ? absl::StrCat(",", gltf::BufferView(vertex_bytes + index_bytes, png_bytes, 0, 0))
          : "",
      "],\"buffers\":[{\"byteLength\":", vertex_bytes + index_bytes + png_bytes, "}]}");
}

}  // namespace

std::string EncodeGlb(const TerrainMesh& mesh, const std::string& png, const std::string& name,
                      const std::string& extras) {
  static_assert(sizeof(Vertex) == 32);
  std::string binary(reinterpret_cast<const char*>(mesh.vertices.data()),
                     mesh.vertices.size() * sizeof(Vertex));
  binary.append(reinterpret_cast<const char*>(mesh.indices.data()),
                mesh.indices.size() * sizeof(std::uint32_t));
  binary += png;
  return gltf::Glb(JsonOf(mesh, png.size(), name, extras), std::move(binary));
}

}  // namespace thalweg::mesh
