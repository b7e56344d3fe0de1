#include "server/geographic/quantized_mesh.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

namespace thalweg::geographic {
namespace {

enum class ExtensionId : std::uint8_t { kOctahedralNormals = 1, kWaterMask = 2, kMetadata = 4 };

class Writer {
 public:
  // Writes a number or the bits of a real, the lowest byte first.
  template <typename T>
  void Put(T value) {
    if constexpr (sizeof(T) == 1) {
      bytes_ += static_cast<char>(value);
    } else {
      using Bits =
          std::conditional_t<sizeof(T) == 2, std::uint16_t,
                             std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
      const auto bits = std::bit_cast<Bits>(value);
      for (std::size_t k = 0; k < sizeof(T); ++k) {
        bytes_ += static_cast<char>(static_cast<std::uint8_t>(bits >> (8 * k)));
      }
    }
  }

  void Put(const sphere::Vector& point) {
    Put(point.x);
    Put(point.y);
    Put(point.z);
  }

  void Put(const std::string& bytes) { bytes_ += bytes; }

  void PutIndex(std::size_t index) {
    if (wide_) return Put(static_cast<std::uint32_t>(index));
    Put(static_cast<std::uint16_t>(index));
  }

  // From here on indices have 32 bits, at positions that are multiples of 4.
  void Widen() {
    wide_ = true;
    while (bytes_.size() % 4 != 0) bytes_ += '\0';
  }

  void BeginExtension(ExtensionId id, std::size_t bytes) {
    Put(static_cast<std::uint8_t>(id));
    Put(static_cast<std::uint32_t>(bytes));
  }

  std::string Take() && { return std::move(bytes_); }

 private:
  std::string bytes_;
  bool wide_ = false;
};

void PutHeader(const QuantizedMesh& mesh, Writer& out) {
  out.Put(mesh.center);
  out.Put(mesh.min_height_m);
  out.Put(mesh.max_height_m);
  out.Put(mesh.sphere.center);
  out.Put(mesh.sphere.radius_m);
  out.Put(mesh.horizon);
}

// A coordinate of all vertices: the first value, then the differences to the next ones, zigzag.
void PutSteps(const std::vector<QuantizedVertex>& vertices, std::uint16_t QuantizedVertex::*of,
              Writer& out) {
  int last = 0;
  for (const QuantizedVertex& vertex : vertices) {
    const int step = vertex.*of - last;
    out.Put(static_cast<std::uint16_t>((step << 1) ^ (step >> 31)));
    last = vertex.*of;
  }
}

// Each index as its difference from the highest one so far, plus one (high-water mark).
void PutTriangles(const QuantizedMesh& mesh, Writer& out) {
  out.Put(static_cast<std::uint32_t>(mesh.triangles.size()));
  std::uint32_t next = 0;
  for (const auto& triangle : mesh.triangles) {
    for (const std::uint32_t index : triangle) {
      out.PutIndex(next - index);
      if (index == next) ++next;
    }
  }
}

// The vertices with this value of one coordinate, ordered by the other one.
void PutEdge(const std::vector<QuantizedVertex>& vertices, std::uint16_t QuantizedVertex::*across,
             int value, std::uint16_t QuantizedVertex::*along, Writer& out) {
  std::vector<std::size_t> edge;
  for (std::size_t n = 0; n < vertices.size(); ++n) {
    if (vertices[n].*across == value) edge.push_back(n);
  }
  std::ranges::sort(edge, {}, [&](std::size_t n) { return vertices[n].*along; });
  out.Put(static_cast<std::uint32_t>(edge.size()));
  for (const std::size_t n : edge) out.PutIndex(n);
}

void PutExtensions(const QuantizedMesh& mesh, Writer& out) {
  if (!mesh.normals.empty()) {
    out.BeginExtension(ExtensionId::kOctahedralNormals, 2 * mesh.normals.size());
    for (const auto& normal : mesh.normals) {
      out.Put(normal[0]);
      out.Put(normal[1]);
    }
  }
  if (!mesh.water_mask.empty()) {
    out.BeginExtension(ExtensionId::kWaterMask, mesh.water_mask.size());
    out.Put(mesh.water_mask);
  }
  if (!mesh.metadata.empty()) {
    out.BeginExtension(ExtensionId::kMetadata, 4 + mesh.metadata.size());
    out.Put(static_cast<std::uint32_t>(mesh.metadata.size()));
    out.Put(mesh.metadata);
  }
}

}  // namespace

std::string Encode(const QuantizedMesh& mesh) {
  using Vertex = QuantizedVertex;
  Writer out;
  PutHeader(mesh, out);
  out.Put(static_cast<std::uint32_t>(mesh.vertices.size()));
  PutSteps(mesh.vertices, &Vertex::u, out);
  PutSteps(mesh.vertices, &Vertex::v, out);
  PutSteps(mesh.vertices, &Vertex::height, out);
  constexpr std::size_t kMaxNarrow = 65'536;
  if (mesh.vertices.size() > kMaxNarrow) out.Widen();
  PutTriangles(mesh, out);
  PutEdge(mesh.vertices, &Vertex::u, 0, &Vertex::v, out);
  PutEdge(mesh.vertices, &Vertex::v, 0, &Vertex::u, out);
  PutEdge(mesh.vertices, &Vertex::u, kQuantizedMax, &Vertex::v, out);
  PutEdge(mesh.vertices, &Vertex::v, kQuantizedMax, &Vertex::u, out);
  PutExtensions(mesh, out);
  return std::move(out).Take();
}

}  // namespace thalweg::geographic
