#include "server/geographic/mesh_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "server/geographic/ellipsoid.h"

namespace thalweg::geographic {
namespace {

// A bumpy piece of ground.
std::vector<sphere::Vector> Ground(unsigned seed, double roughness) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> phase(0, 6.3);
  std::array<double, 6> phases{};
  for (double& one : phases) one = phase(random);
  std::vector<sphere::Vector> points;
  for (int y = 0; y < kMeshSide; ++y) {
    for (int x = 0; x < kMeshSide; ++x) {
      double z = 0;
      for (int octave = 0; octave < 3; ++octave) {
        const double scale = 0.1 * (1 << octave);
        const auto k = static_cast<std::size_t>(octave);
        z += std::sin(x * scale + phases[2 * k]) * std::sin(y * scale + phases[2 * k + 1]) / scale;
      }
      points.push_back({x * 10.0, y * 10.0, roughness * z});
    }
  }
  return points;
}

int XOf(std::uint16_t vertex) { return vertex % kMeshSide; }
int YOf(std::uint16_t vertex) { return vertex / kMeshSide; }

// Positive if counterclockwise.
int DoubledArea(const Triangle& t) {
  return (XOf(t[1]) - XOf(t[0])) * (YOf(t[2]) - YOf(t[0])) -
         (XOf(t[2]) - XOf(t[0])) * (YOf(t[1]) - YOf(t[0]));
}

// The largest distance of a point from its triangle, at the point's place in the grid.
double LargestError(const std::vector<sphere::Vector>& points,
                    const std::vector<Triangle>& triangles) {
  double largest = 0;
  for (const Triangle& t : triangles) {
    const double area = DoubledArea(t);
    const auto [first, last] = std::ranges::minmax(t);
    for (int n = first; n <= last; ++n) {
      const auto vertex = static_cast<std::uint16_t>(n);
      std::array<double, 3> weights{};
      for (std::size_t corner = 0; corner < 3; ++corner) {
        Triangle part = t;
        part[corner] = vertex;
        weights[corner] = DoubledArea(part) / area;
      }
      if (*std::ranges::min_element(weights) < 0) continue;
      sphere::Vector flat;
      for (std::size_t corner = 0; corner < 3; ++corner) {
        flat = flat + weights[corner] * points[t[corner]];
      }
      largest = std::max(largest, Length(flat - points[vertex]));
    }
  }
  return largest;
}

TEST(RightTrianglesTest, NoPointIsFartherThanAllowed) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    for (const double error : {0.5, 3.0, 20.0}) {
      const auto points = Ground(seed, 4);
      EXPECT_LE(LargestError(points, Triangulate(points, error)), error) << seed;
    }
  }
}

// Triangles cover the grid once. An edge belongs to two triangles, or to one at the grid's border.
TEST(RightTrianglesTest, TrianglesFormASurface) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    int area = 0;
    std::map<std::pair<int, int>, int> sides;
    for (const Triangle& t : Triangulate(Ground(seed, 4), 3)) {
      ASSERT_GT(DoubledArea(t), 0);
      area += DoubledArea(t);
      for (std::size_t k = 0; k < 3; ++k) ++sides[{t[k], t[(k + 1) % 3]}];
    }
    EXPECT_EQ(area, 2 * kMeshCells * kMeshCells);
    for (const auto& [side, count] : sides) {
      EXPECT_EQ(count, 1);
      const auto [a, b] = side;
      const auto on = [](int c, int d) { return c == d && (c == 0 || c == kMeshCells); };
      const bool outer = on(a % kMeshSide, b % kMeshSide) || on(a / kMeshSide, b / kMeshSide);
      EXPECT_EQ(sides.count({b, a}), outer ? 0U : 1U);
    }
  }
}

TEST(RightTrianglesTest, AllVerticesOnEdgesAreKept) {
  std::set<int> kept;
  const auto triangles = Triangulate(Ground(1, 0), 1);
  for (const Triangle& t : triangles) kept.insert(t.begin(), t.end());
  for (int n = 0; n < kMeshSide; ++n) {
    for (const int vertex :
         {n, n * kMeshSide, n * kMeshSide + kMeshCells, kMeshCells * kMeshSide + n}) {
      EXPECT_TRUE(kept.contains(vertex));
    }
  }
  // On flat ground, hardly any other vertices are kept.
  EXPECT_LT(triangles.size(), 1'700U);
}

TEST(RightTrianglesTest, WithAnErrorOfZeroAllVerticesStay) {
  EXPECT_EQ(Triangulate(Ground(1, 4), 0).size(), 2U * kMeshCells * kMeshCells);
}

}  // namespace
}  // namespace thalweg::geographic
