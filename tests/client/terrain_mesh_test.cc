#include "client/tools/mesh/terrain_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tests/client/glb_reader.h"

namespace thalweg::mesh {
namespace {

constexpr double kCellM = 10;
constexpr std::int32_t kUpright = 0;

// Hills and noise of the plane, beginning at this column.
Heightfield Hills(int width, int height, int first_column) {
  Heightfield field{.cell_m = kCellM,
                    .height_q16 = survey::FilledGrid(width, height, 0),
                    .normal = survey::FilledGrid(width, height, kUpright)};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int column = first_column + x;
      std::mt19937 random(static_cast<std::uint32_t>(column * 7919 + y));
      const double noise = static_cast<double>(random() % 1000) / 1000;
      const double hills = 60 * std::sin(column / 9.0) * std::cos(y / 7.0);
      field.height_q16.At(x, y) = static_cast<std::int32_t>((hills + noise) * 65536);
    }
  }
  return field;
}

// The column and row of a vertex of the mesh.
std::pair<int, int> PlaceOf(const Heightfield& field, const Vertex& vertex) {
  const double column =
      static_cast<double>(vertex.position[0]) / kCellM + (field.height_q16.width - 1) / 2.0;
  const double row =
      static_cast<double>(vertex.position[2]) / kCellM + (field.height_q16.height - 1) / 2.0;
  return {static_cast<int>(std::lround(column)), static_cast<int>(std::lround(row))};
}

// The largest vertical distance from the ground, computed in another way than by the tested code:
// over all vertices in each triangle. `cells` is how much of the map the triangles cover.
struct Checked {
  double error_m = 0;
  double cells = 0;
  bool faces_up = true;
};
Checked Check(const Heightfield& field, const TerrainMesh& mesh) {
  Checked checked;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const Vertex& a = mesh.vertices[mesh.indices[i]];
    const Vertex& b = mesh.vertices[mesh.indices[i + 1]];
    const Vertex& c = mesh.vertices[mesh.indices[i + 2]];
    const auto [ax, ay] = PlaceOf(field, a);
    const auto [bx, by] = PlaceOf(field, b);
    const auto [cx, cy] = PlaceOf(field, c);
    // The y component of the normal (b - a) x (c - a), which points up.
    const double up = (by - ay) * (cx - ax) - (bx - ax) * (cy - ay);
    checked.faces_up = checked.faces_up && up >= 0;
    checked.cells += up / 2;
    if (up == 0) continue;
    for (int y = std::min({ay, by, cy}); y <= std::max({ay, by, cy}); ++y) {
      for (int x = std::min({ax, bx, cx}); x <= std::max({ax, bx, cx}); ++x) {
        const double of_a = ((cx - bx) * (y - by) - (cy - by) * (x - bx)) / -up;
        const double of_b = ((ax - cx) * (y - cy) - (ay - cy) * (x - cx)) / -up;
        const double of_c = 1 - of_a - of_b;
        if (std::min({of_a, of_b, of_c}) < -1e-9) continue;
        const double at = of_a * static_cast<double>(a.position[1]) +
                          of_b * static_cast<double>(b.position[1]) +
                          of_c * static_cast<double>(c.position[1]);
        const double ground = field.height_q16.At(x, y) / 65536.0 - field.origin_up_m;
        checked.error_m = std::max(checked.error_m, std::abs(at - ground));
      }
    }
  }
  return checked;
}

TEST(MeshTest, IsAsCloseToTheGroundAsItSays) {
  const Heightfield field = Hills(120, 77, 0);
  std::size_t last = field.height_q16.values.size() + 1;
  for (const double max_m : {0.0, 0.5, 2.0, 8.0}) {
    const TerrainMesh mesh = MakeMesh(field, max_m);
    const Checked checked = Check(field, mesh);
    EXPECT_LE(mesh.error_m, max_m);
    EXPECT_NEAR(checked.error_m, mesh.error_m, 1e-3);
    EXPECT_TRUE(checked.faces_up);
    EXPECT_NEAR(checked.cells, 119 * 76, 1e-6) << "holes, or ground that is there twice";
    EXPECT_LT(mesh.vertices.size(), last) << "a larger error leaves fewer vertices";
    last = mesh.vertices.size();
  }
  EXPECT_LT(last, field.height_q16.values.size() / 4);
}

// The twin: the check above finds a vertex that is too high.
TEST(MeshTest, ErrorsAreFound) {
  const Heightfield field = Hills(40, 40, 0);
  TerrainMesh mesh = MakeMesh(field, 0);
  EXPECT_LT(Check(field, mesh).error_m, 1e-3);
  mesh.vertices[777].position[1] += 3;
  EXPECT_NEAR(Check(field, mesh).error_m, 3, 1e-3);
  std::vector<std::uint32_t> indices = {0, 1, 2};
  std::vector<Vertex> grid(9);
  for (std::size_t i = 0; i < 9; ++i) {
    const std::size_t row = i / 3;
    grid[i].position = {static_cast<float>(i % 3), 0, static_cast<float>(row)};
  }
  // A triangle over the middle of a square of 3 x 3 vertices.
  indices = {0, 6, 8};
  grid[4].position[1] = 5;
  EXPECT_DOUBLE_EQ(VerticalErrorM(grid, 3, indices), 5);
  std::swap(indices[1], indices[2]);
  EXPECT_TRUE(std::isinf(VerticalErrorM(grid, 3, indices))) << "faces down";
}

// Regions that share a column of vertices have the same border there, although they differ inside.
TEST(MeshTest, NeighboursFit) {
  constexpr int kHeight = 50;
  const Heightfield west = Hills(65, kHeight, 0);
  Heightfield east = Hills(33, kHeight, 64);
  east.origin_up_m = 40;
  const auto border = [](const Heightfield& field, int column) {
    std::map<int, float> ups;
    for (const Vertex& vertex : MakeMesh(field, 8).vertices) {
      const auto [x, y] = PlaceOf(field, vertex);
      if (x == column) ups[y] = vertex.position[1] + static_cast<float>(field.origin_up_m);
    }
    return ups;
  };
  const auto of_west = border(west, 64);
  const auto of_east = border(east, 0);
  EXPECT_EQ(of_west.size(), std::size_t{kHeight});
  ASSERT_EQ(of_west.size(), of_east.size());
  for (const auto& [row, up] : of_west) EXPECT_NEAR(up, of_east.at(row), 1e-5F);
}

TEST(GlbTest, ReadsBackAsTheMesh) {
  const Heightfield field = Hills(21, 33, 5);
  const TerrainMesh mesh = MakeMesh(field, 1);
  const client_test::GlbMesh read =
      client_test::ReadGlb(EncodeGlb(mesh, "", "a name", {{"error_m", 0.5}}));
  ASSERT_EQ(read.positions.size(), mesh.vertices.size());
  EXPECT_EQ(read.indices, mesh.indices);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    EXPECT_EQ(read.positions[i], mesh.vertices[i].position);
    EXPECT_EQ(read.normals[i], mesh.vertices[i].normal);
  }
  const std::set<std::uint32_t> used(mesh.indices.begin(), mesh.indices.end());
  EXPECT_EQ(used.size(), mesh.vertices.size());
  EXPECT_EQ(*used.rbegin() + 1, mesh.vertices.size());
  EXPECT_NE(read.json.find(R"("extras":{"error_m":0.5})"), std::string::npos);
  EXPECT_NE(read.json.find(R"("name":"a name")"), std::string::npos);
  EXPECT_NE(read.json.find(R"("min":[-100,)"), std::string::npos);
}

}  // namespace
}  // namespace thalweg::mesh
