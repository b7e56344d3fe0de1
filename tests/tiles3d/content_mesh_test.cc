// Meshes, read back from their files. Their ground is a function of the place.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <tuple>

#include "server/geographic/ellipsoid.h"
#include "server/tiles3d/cell.h"
#include "server/tiles3d/content_query.h"
#include "tests/tiles3d/content_reader.h"

namespace thalweg::tiles3d {
namespace {

using geographic::kWgs84;
constexpr std::size_t kSurface = std::size_t{kMeshSide} * kMeshSide;

std::size_t IndexOf(int column, int row, int side) {
  return static_cast<std::size_t>(column) +
         static_cast<std::size_t>(row) * static_cast<std::size_t>(side);
}

double SkirtOf(const wire::TileKey& key) { return std::ldexp(60'000, -key.level); }

// Hills of up to about 4 km, in 1/65,536 m.
std::int32_t HeightAt(const sphere::Vector& at) {
  double height_m = 0;
  for (double length = 3; length < 1e7; length *= 6) {
    height_m += 4'000 / length * std::sin(length * at.x + length) * std::cos(length * at.y) *
                std::sin(length * at.z + 2);
  }
  return static_cast<std::int32_t>(height_m * 65'536);
}

struct Made {
  std::vector<std::int32_t> heights;
  ContentMesh mesh;
  ReadContent content;
};

Made MakeTile(const wire::TileKey& key, const geographic::Ellipsoid& ellipsoid = kWgs84) {
  Made made;
  std::vector<sphere::Vector> up;
  for (int n = 0; n < 257 * 257; ++n) {
    up.push_back(DirectionOf(key, n % 257, n / 257));
    made.heights.push_back(HeightAt(up.back()));
  }
  made.mesh =
      MakeContentMesh(key, ellipsoid, {.heights = made.heights, .normals = up}, SkirtOf(key));
  made.content = ReadGlb(EncodeContent(made.mesh, "picture", {{"one", 1}}));
  return made;
}

wire::TileKey RandomKey(std::mt19937& random) {
  const int level = static_cast<int>(random() % 19);
  const auto drawn = [&] { return static_cast<std::int64_t>(random()) % (1LL << level); };
  return {static_cast<int>(random() % 6), level, drawn(), drawn()};
}

TEST(ContentMeshTest, PositionsMatchTheHeightsWithinAStep) {
  std::mt19937 random(1);
  for (int n = 0; n < 30; ++n) {
    const wire::TileKey key = RandomKey(random);
    const Made made = MakeTile(key);
    ASSERT_EQ(made.content.positions.size(), kSurface + 4 * kMeshCells);
    EXPECT_EQ(made.content.step_m, StepM(kWgs84, key.level));
    for (std::size_t k = 0; k < kSurface; ++k) {
      const int column = static_cast<int>(k % kMeshSide) * kMeshStride;
      const int row = static_cast<int>(k / kMeshSide) * kMeshStride;
      const sphere::Vector up = DirectionOf(key, column, row);
      const double height_m = made.heights[IndexOf(column, row, 257)] / 65'536.0;
      const sphere::Vector expected = geographic::PointAbove(kWgs84, up, height_m);
      EXPECT_LE(Length(made.content.positions[k] - expected),
                made.content.step_m * std::sqrt(0.75) * 1.001);
      EXPECT_GT(Dot(made.content.normals[k], up), 0.98);
      EXPECT_NEAR(made.content.textures[k][0], (column + 0.5) / 257, 1e-5);
      EXPECT_NEAR(made.content.textures[k][1], (row + 0.5) / 257, 1e-5);
    }
  }
}

// The vertices of a tile's side, in the order of their numbers.
using Position = std::tuple<double, double, double>;
std::vector<Position> Side(const ReadContent& content, int from, int step) {
  std::vector<Position> side;
  for (int n = 0; n < kMeshSide; ++n) {
    const sphere::Vector& at = content.positions[IndexOf(from, n, step)];
    side.emplace_back(at.x, at.y, at.z);
  }
  return side;
}
std::vector<Position> West(const ReadContent& content) { return Side(content, 0, kMeshSide); }
std::vector<Position> East(const ReadContent& content) {
  return Side(content, kMeshSide - 1, kMeshSide);
}
std::vector<Position> North(const ReadContent& content) { return Side(content, 0, 1); }
std::vector<Position> South(const ReadContent& content) {
  return Side(content, kMeshSide * kMeshCells, 1);
}

TEST(ContentMeshTest, NeighboursShareTheirVerticesToTheBit) {
  std::mt19937 random(2);
  for (int n = 0; n < 20; ++n) {
    wire::TileKey key = RandomKey(random);
    const std::int64_t tiles = std::int64_t{1} << key.level;
    const Made made = MakeTile(key);
    if (key.x + 1 < tiles) {
      const Made east = MakeTile({key.face, key.level, key.x + 1, key.y});
      EXPECT_EQ(East(made.content), West(east.content));
      EXPECT_NE(East(made.content), East(east.content));
    }
    if (key.y + 1 < tiles) {
      const Made south = MakeTile({key.face, key.level, key.x, key.y + 1});
      EXPECT_EQ(South(made.content), North(south.content));
    }
  }
}

TEST(ContentMeshTest, FacesShareTheirVerticesToTheBit) {
  std::mt19937 random(4);
  for (const int level : {0, 3, 9, 17}) {
    const std::int64_t tiles = std::int64_t{1} << level;
    const std::int64_t along = static_cast<std::int64_t>(random()) % tiles;
    // East of face 0 is face 1. Their rows have the same direction.
    EXPECT_EQ(East(MakeTile({0, level, tiles - 1, along}).content),
              West(MakeTile({1, level, 0, along}).content));
    // North of face 0 is face 2. Its first column is along this edge.
    EXPECT_EQ(North(MakeTile({0, level, along, 0}).content),
              West(MakeTile({2, level, 0, along}).content));
  }
}

TEST(ContentMeshTest, TrianglesFaceOutwardAndSkirtsHangDown) {
  std::mt19937 random(6);
  for (int n = 0; n < 8; ++n) {
    const wire::TileKey key = RandomKey(random);
    const Made made = MakeTile(key);
    const auto& [positions, indices] = std::tie(made.content.positions, made.content.indices);
    ASSERT_EQ(indices.size(), 3U * (2 * kMeshCells * kMeshCells + 8 * kMeshCells));
    sphere::Vector middle = positions[kSurface / 2];
    for (std::size_t t = 0; t < indices.size(); t += 3) {
      const sphere::Vector& a = positions[indices[t]];
      const sphere::Vector normal =
          sphere::Cross(positions[indices[t + 1]] - a, positions[indices[t + 2]] - a);
      const bool skirt = indices[t + 2] >= kSurface;
      EXPECT_GT(Dot(normal, skirt ? a - middle : a), 0) << key.level << " " << t;
    }
    for (std::size_t k = kSurface; k < positions.size(); ++k) {
      EXPECT_EQ(
          made.content.textures[k],
          made.content
              .textures[made.mesh.indices[6U * kMeshCells * kMeshCells + 6 * (k - kSurface)]]);
    }
    const double drop = Length(positions[0]) - Length(positions[kSurface]);
    EXPECT_NEAR(drop / SkirtOf(key), 1, 0.01);
  }
}

// The stated deviation equals the largest distance in space between a sample and the triangles.
TEST(ContentMeshTest, DeviationIsTheLargestDistanceOfASample) {
  for (const wire::TileKey& key : {wire::TileKey{0, 0, 0, 0}, {2, 4, 7, 9}, {5, 12, 100, 4'000}}) {
    const Made made = MakeTile(key);
    const auto at = [&](int column, int row) {
      return made.content.positions[IndexOf(column, row, kMeshSide)];
    };
    double largest_m = 0;
    for (int row = 0; row < 256; ++row) {
      for (int column = 0; column < 256; ++column) {
        const double u = column % 4 / 4.0;
        const double v = row % 4 / 4.0;
        const int c = column / 4;
        const int r = row / 4;
        const auto weighted = [&](const sphere::Vector& p, double weight) { return weight * p; };
        const sphere::Vector shown =
            u + v <= 1 ? weighted(at(c, r), 1 - u - v) +
                             (weighted(at(c + 1, r), u) + weighted(at(c, r + 1), v))
                       : weighted(at(c + 1, r + 1), u + v - 1) +
                             (weighted(at(c + 1, r), 1 - v) + weighted(at(c, r + 1), 1 - u));
        const double height_m = made.heights[IndexOf(column, row, 257)] / 65'536.0;
        const sphere::Vector sample =
            geographic::PointAbove(kWgs84, DirectionOf(key, column, row), height_m);
        largest_m = std::max(largest_m, Length(shown - sample));
      }
    }
    EXPECT_GE(made.mesh.deviation_m, largest_m * (1 - 1e-9));
    EXPECT_LE(made.mesh.deviation_m, largest_m * 1.5);
  }
}

// The level's step is too short for a tile that is higher than wide.
TEST(ContentMeshTest, VeryLargeTilesHaveALongerStep) {
  const wire::TileKey key = {0, 12, 7, 7};
  std::vector<std::int32_t> heights(257 * 257, 0);
  heights[0] = 8'000 * 65'536;
  const std::vector<sphere::Vector> normals(heights.size(), {0, 0, 1});
  const ContentMesh mesh = MakeContentMesh(key, kWgs84, {heights, normals}, SkirtOf(key));
  EXPECT_EQ(mesh.step_m, 2 * StepM(kWgs84, key.level));
}

TEST(ContentGlbTest, HasItsMetadata) {
  const Made made = MakeTile({1, 3, 2, 5});
  EXPECT_EQ(made.content.png, "picture");
  EXPECT_EQ(NumberAt(made.content.json, "asset/extras/one"), 1);
  EXPECT_EQ(TextAt(made.content.json, "extensionsRequired/0"), "KHR_mesh_quantization");
  EXPECT_EQ(TextAt(made.content.json, "images/0/mimeType"), "image/png");
  for (int axis = 0; axis < 3; ++axis) {
    const std::string n = std::to_string(axis);
    EXPECT_LE(NumberAt(made.content.json, "accessors/0/max/" + n), kMaxSteps);
    EXPECT_GE(NumberAt(made.content.json, "accessors/0/min/" + n), -kMaxSteps);
  }
}

}  // namespace
}  // namespace thalweg::tiles3d
