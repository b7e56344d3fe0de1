#include "server/geographic/quantized_mesh.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/geographic/decode_mesh.h"

namespace thalweg::geographic {
namespace {

// A mesh whose triangles first name all vertices in order, and then some again.
QuantizedMesh RandomMesh(std::mt19937& random, std::uint32_t vertices) {
  const auto real = [&random] { return std::uniform_real_distribution(-7e6, 7e6)(random); };
  const auto number = [&random](std::uint32_t below) {
    return static_cast<std::uint32_t>(random() % below);
  };
  QuantizedMesh mesh;
  mesh.center = {real(), real(), real()};
  mesh.min_height_m = static_cast<float>(real());
  mesh.max_height_m = static_cast<float>(real());
  mesh.sphere = {{real(), real(), real()}, real()};
  mesh.horizon = {real(), real(), real()};
  for (std::uint32_t n = 0; n < vertices; ++n) {
    const auto coordinate = [&] {
      // Vertices are often on an edge.
      return static_cast<std::uint16_t>(number(4) == 0 ? number(2) * 32'767 : number(32'768));
    };
    mesh.vertices.push_back({coordinate(), coordinate(), coordinate()});
  }
  std::uint32_t next = 0;
  while (next < vertices) {
    auto& triangle = mesh.triangles.emplace_back();
    for (std::uint32_t& index : triangle) {
      index = next < vertices && (next == 0 || number(3) != 0) ? next++ : number(next);
    }
  }
  for (std::uint32_t n = 0; n < vertices && number(2) == 0; ++n) {
    mesh.normals.resize(vertices, {static_cast<std::uint8_t>(number(256)), 7});
  }
  if (number(2) == 0) mesh.water_mask = std::string(number(2) == 0 ? 1 : 65'536, '\xff');
  if (number(2) == 0) mesh.metadata = "{\"available\":[]}";
  return mesh;
}

void ExpectSame(const sphere::Vector& a, const sphere::Vector& b) {
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.y, b.y);
  EXPECT_EQ(a.z, b.z);
}

void ExpectReadBack(const QuantizedMesh& mesh) {
  const DecodedMesh read = DecodeMesh(Encode(mesh));
  ExpectSame(read.center, mesh.center);
  ExpectSame(read.sphere_center, mesh.sphere.center);
  ExpectSame(read.horizon, mesh.horizon);
  EXPECT_EQ(read.sphere_radius_m, mesh.sphere.radius_m);
  EXPECT_EQ(read.min_height_m, mesh.min_height_m);
  EXPECT_EQ(read.max_height_m, mesh.max_height_m);
  ASSERT_EQ(read.u.size(), mesh.vertices.size());
  std::array<std::size_t, 4> on_edges = {};
  for (std::size_t n = 0; n < read.u.size(); ++n) {
    EXPECT_EQ(read.u[n], mesh.vertices[n].u);
    EXPECT_EQ(read.v[n], mesh.vertices[n].v);
    EXPECT_EQ(read.height[n], mesh.vertices[n].height);
    on_edges[0] += read.u[n] == 0 ? 1 : 0;
    on_edges[1] += read.v[n] == 0 ? 1 : 0;
    on_edges[2] += read.u[n] == 32'767 ? 1 : 0;
    on_edges[3] += read.v[n] == 32'767 ? 1 : 0;
  }
  EXPECT_EQ(read.triangles, mesh.triangles);
  EXPECT_EQ(read.normals, mesh.normals);
  EXPECT_EQ(read.water_mask, mesh.water_mask);
  EXPECT_EQ(read.metadata, mesh.metadata);
  for (std::size_t edge = 0; edge < 4; ++edge) {
    EXPECT_EQ(read.edges[edge].size(), on_edges[edge]);
    const std::vector<int>& across = edge % 2 == 0 ? read.u : read.v;
    const std::vector<int>& along = edge % 2 == 0 ? read.v : read.u;
    int last = 0;
    for (const std::uint32_t n : read.edges[edge]) {
      EXPECT_EQ(across[n], edge < 2 ? 0 : 32'767);
      EXPECT_GE(along[n], last);
      last = along[n];
    }
  }
}

TEST(QuantizedMeshTest, DecodesToWhatWasEncoded) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    ExpectReadBack(RandomMesh(random, 3 + seed * 7));
  }
}

TEST(QuantizedMeshTest, IndicesGetWiderBeyond65536Vertices) {
  for (const std::uint32_t vertices : {65'535U, 65'536U, 65'537U, 65'538U}) {
    SCOPED_TRACE(vertices);
    std::mt19937 random(vertices);
    const QuantizedMesh mesh = RandomMesh(random, vertices);
    ExpectReadBack(mesh);
    EXPECT_EQ(DecodeMesh(Encode(mesh)).wide, vertices > 65'536);
  }
}

}  // namespace
}  // namespace thalweg::geographic
