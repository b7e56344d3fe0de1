#include "client/mesh/glb.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace thalweg::mesh {
namespace {

// Constants of glTF 2.0: types of components, targets of buffers.
constexpr int kFloat = 5126;
constexpr int kUint32 = 5125;
constexpr int kVertices = 34962;
constexpr int kIndices = 34963;
constexpr std::uint32_t kMagic = 0x46546C67;
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;
constexpr std::uint32_t kBinaryChunk = 0x004E4942;

void Append(std::string& bytes, std::uint32_t value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void AppendChunk(std::string& bytes, std::uint32_t kind, std::string content, char padding) {
  content.resize((content.size() + 3) / 4 * 4, padding);
  Append(bytes, static_cast<std::uint32_t>(content.size()));
  Append(bytes, kind);
  bytes += content;
}

// An accessor asks for the bounds of positions.
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
    // Nine digits read back as the same float.
    return absl::StrFormat("[%.9g,%.9g,%.9g]", point[0], point[1], point[2]);
  };
  return absl::StrCat("\"min\":", text(min), ",\"max\":", text(max));
}

std::string JsonOf(const TerrainMesh& mesh, const std::string& name, const std::string& extras) {
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
      ",\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1},\"indices\":2,"
      "\"material\":0}]}],\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.5,0.5,"
      "0.5,1],\"metallicFactor\":0,\"roughnessFactor\":1}}],\"accessors\":[",
      accessor(0, offsetof(Vertex, position), kFloat, vertices, "VEC3", BoundsOf(mesh)), ",",
      accessor(0, offsetof(Vertex, normal), kFloat, vertices, "VEC3", ""), ",",
      accessor(1, 0, kUint32, mesh.indices.size(), "SCALAR", ""),
      "],\"bufferViews\":[{\"buffer\":0,\"byteLength\":", vertex_bytes,
      ",\"byteStride\":", sizeof(Vertex), ",\"target\":", kVertices,
      "},{\"buffer\":0,\"byteOffset\":", vertex_bytes, ",\"byteLength\":", index_bytes,
      ",\"target\":", kIndices, "}],\"buffers\":[{\"byteLength\":", vertex_bytes + index_bytes,
      "}]}");
}

}  // namespace

std::string EncodeGlb(const TerrainMesh& mesh, const std::string& name, const std::string& extras) {
  static_assert(sizeof(Vertex) == 24);
  constexpr std::uint32_t kVersion = 2;
  constexpr std::size_t kHeaderBytes = 12;
  std::string chunks;
  AppendChunk(chunks, kJsonChunk, JsonOf(mesh, name, extras), ' ');
  std::string binary(reinterpret_cast<const char*>(mesh.vertices.data()),
                     mesh.vertices.size() * sizeof(Vertex));
  binary.append(reinterpret_cast<const char*>(mesh.indices.data()),
                mesh.indices.size() * sizeof(std::uint32_t));
  AppendChunk(chunks, kBinaryChunk, std::move(binary), '\0');
  std::string bytes;
  Append(bytes, kMagic);
  Append(bytes, kVersion);
  Append(bytes, static_cast<std::uint32_t>(kHeaderBytes + chunks.size()));
  return bytes + chunks;
}

}  // namespace thalweg::mesh
