// Meshes of tiles. Their ground is a function of the place.
#include "server/geographic/mesh_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "server/geographic/ellipsoid.h"
#include "server/geographic/mesh_grid.h"
#include "tests/geographic/decode_mesh.h"

namespace thalweg::geographic {
namespace {

constexpr MeshExtensions kAll = {.normals = true, .water_mask = true, .metadata = true};
constexpr int kMaxZoom = 20;

// Hills of all wavelengths that a zoom shows, in 1/65,536 m.
std::int32_t HeightAt(const sphere::Vector& at, int zoom) {
  double height_m = 0;
  double length = 3;
  for (int octave = 0; octave < zoom + 6; ++octave) {
    const double k = length + octave;
    height_m += 4'000 / length * std::sin(k * at.x + octave) * std::cos(k * at.y) *
                std::sin(k * at.z + 2 * octave);
    length *= 2;
  }
  return static_cast<std::int32_t>(height_m * 65'536);
}

MeshSamples SamplesOf(const GlobeTile& tile) {
  MeshSamples samples;
  for (const sphere::Vector& at : MeshGrid(tile).Directions()) {
    samples.heights.push_back(HeightAt(at, tile.zoom));
  }
  return samples;
}

DecodedMesh MeshOf(const GlobeTile& tile, const Ellipsoid& ellipsoid = kWgs84) {
  return DecodeMesh(Encode(MakeMesh(tile, ellipsoid, SamplesOf(tile), kAll, kMaxZoom)));
}

// A vertex of an edge: its height, and its normal.
using EdgeVertex = std::pair<double, std::array<std::uint8_t, 2>>;
// The vertices of an edge, by the coordinate along it.
using Edge = std::map<int, EdgeVertex>;

enum Side { kWest, kSouth, kEast, kNorth };

Edge EdgeOf(const DecodedMesh& mesh, Side side) {
  Edge edge;
  for (const std::uint32_t n : mesh.edges[side]) {
    const std::vector<int>& along = side == kWest || side == kEast ? mesh.v : mesh.u;
    edge[along[n]] = {mesh.HeightM(n), mesh.normals[n]};
  }
  return edge;
}

GlobeTile RandomTile(std::mt19937& random) {
  const int zoom = static_cast<int>(random() % 21);
  return {zoom, static_cast<std::int64_t>(random()) % ColumnsAt(Tiling::kGeographic, zoom),
          static_cast<std::int64_t>(random()) % RowsAt(zoom)};
}

// Neighbours have the same vertices on their common edge, bit for bit.
TEST(MeshTileTest, NeighboursShareTheirEdges) {
  std::mt19937 random(7);
  for (int n = 0; n < 40; ++n) {
    const GlobeTile tile = RandomTile(random);
    SCOPED_TRACE(testing::Message() << tile.zoom << "/" << tile.x << "/" << tile.y);
    const DecodedMesh mesh = MeshOf(tile);
    // The eastern neighbour, also across 180°.
    const GlobeTile east = {tile.zoom, (tile.x + 1) % ColumnsAt(Tiling::kGeographic, tile.zoom),
                            tile.y};
    EXPECT_EQ(EdgeOf(mesh, kEast), EdgeOf(MeshOf(east), kWest));
    EXPECT_EQ(EdgeOf(mesh, kEast).size(), static_cast<std::size_t>(kMeshSide));
    if (tile.y + 1 == RowsAt(tile.zoom)) continue;
    const GlobeTile north = {tile.zoom, tile.x, tile.y + 1};
    EXPECT_EQ(EdgeOf(mesh, kNorth), EdgeOf(MeshOf(north), kSouth));
  }
}

// The twin: if each tile quantizes heights over its own range, without a lattice, edges differ.
TEST(MeshTileTest, HeightsOffTheLatticeDifferAtEdges) {
  const auto quantized = [](const GlobeTile& tile, bool east) {
    const MeshSamples samples = SamplesOf(tile);
    std::vector<double> heights_m;
    for (int row = 0; row < kMeshSide; ++row) {
      for (int column = 0; column < kMeshSide; ++column) {
        heights_m.push_back(std::ldexp(samples.heights[MeshGrid::IndexOf(column, row)], -16));
      }
    }
    const auto [least, most] = std::ranges::minmax(heights_m);
    std::vector<double> edge;
    for (int row = 0; row < kMeshSide; ++row) {
      const double height_m =
          heights_m[static_cast<std::size_t>(row) * kMeshSide + (east ? kMeshCells : 0)];
      const double steps = std::round((height_m - least) / (most - least) * 32'767);
      edge.push_back(least + (most - least) * steps / 32'767);
    }
    return edge;
  };
  EXPECT_NE(quantized({5, 10, 12}, true), quantized({5, 11, 12}, false));
}

// All tiles at a pole have the same height and normal there.
TEST(MeshTileTest, APoleIsOneVertex) {
  for (const bool north : {false, true}) {
    std::vector<EdgeVertex> found;
    for (std::int64_t x = 0; x < 16; ++x) {
      const DecodedMesh mesh = MeshOf({3, x, north ? 7 : 0});
      for (const auto& [along, vertex] : EdgeOf(mesh, north ? kNorth : kSouth)) {
        found.push_back(vertex);
      }
    }
    ASSERT_EQ(found.size(), 16U * kMeshSide);
    EXPECT_THAT(found, testing::Each(found.front()));
  }
}

// No sample is farther from the mesh than its stated error.
TEST(MeshTileTest, ItsErrorIsWithinTheStatedBound) {
  for (const GlobeTile& tile : {GlobeTile{0, 1, 0}, {3, 5, 6}, {9, 700, 300}, {15, 20'000, 0}}) {
    const MeshSamples samples = SamplesOf(tile);
    const MeshGrid grid(tile);
    const DecodedMesh mesh = MeshOf(tile);
    std::map<std::pair<int, int>, std::pair<int, int>> places;
    for (int row = 0; row < kMeshSide; ++row) {
      for (int column = 0; column < kMeshSide; ++column) {
        places[{MeshGrid::QuantizedAt(column), MeshGrid::QuantizedAt(row)}] = {column, row};
      }
    }
    double largest_m = 0;
    for (const auto& t : mesh.triangles) {
      std::array<std::pair<int, int>, 3> at;
      std::array<sphere::Vector, 3> points;
      for (std::size_t k = 0; k < 3; ++k) {
        at[k] = places.at({mesh.u[t[k]], mesh.v[t[k]]});
        points[k] = grid.PointAt(kWgs84, at[k].first, at[k].second, mesh.HeightM(t[k]));
      }
      const auto doubled = [](const auto& a, const auto& b, const auto& c) {
        return (b.first - a.first) * (c.second - a.second) -
               (c.first - a.first) * (b.second - a.second);
      };
      const double area = doubled(at[0], at[1], at[2]);
      for (int row = 0; row < kMeshSide; ++row) {
        for (int column = 0; column < kMeshSide; ++column) {
          const std::pair<int, int> p{column, row};
          const std::array<int, 3> parts = {doubled(p, at[1], at[2]), doubled(at[0], p, at[2]),
                                            doubled(at[0], at[1], p)};
          if (std::ranges::min(parts) < 0) continue;
          sphere::Vector flat;
          for (std::size_t k = 0; k < 3; ++k) flat = flat + parts[k] / area * points[k];
          const double height_m = std::ldexp(samples.heights[MeshGrid::IndexOf(column, row)], -16);
          const sphere::Vector ground = grid.PointAt(kWgs84, column, row, height_m);
          largest_m = std::max(largest_m, Length(flat - ground));
        }
      }
    }
    EXPECT_LE(largest_m, MeshErrorM(kWgs84, tile.zoom));
    EXPECT_GT(largest_m, 0);
  }
}

TEST(MeshTileTest, VerticesStandOnTheirEllipsoid) {
  for (const Ellipsoid& ellipsoid : {kWgs84, EllipsoidOf(1'737'400)}) {
    const DecodedMesh mesh = MeshOf({4, 20, 11}, ellipsoid);
    double farthest_m = 0;
    for (std::size_t n = 0; n < mesh.u.size(); ++n) {
      const Angle longitude = AngleOf(-180 + (20 + mesh.u[n] / 32'767.0) * 180 / 16);
      const Angle latitude = AngleOf(-90 + (11 + mesh.v[n] / 32'767.0) * 180 / 16);
      const sphere::Vector point = PointAbove(ellipsoid, latitude, longitude, mesh.HeightM(n));
      farthest_m = std::max(farthest_m, Length(point - mesh.sphere_center));
    }
    EXPECT_NEAR(farthest_m, mesh.sphere_radius_m, 1e-3);
  }
}

TEST(MeshTileTest, NormalsPointOutward) {
  const DecodedMesh mesh = MeshOf({2, 5, 2});
  // 45° to 90° E, 0° to 45° N: all components are positive.
  for (const auto& normal : mesh.normals) {
    const double u = normal[0] / 127.5 - 1;
    const double v = normal[1] / 127.5 - 1;
    EXPECT_LE(std::abs(u) + std::abs(v), 1.01);
    EXPECT_GT(v, 0);
  }
}

TEST(MeshTileTest, TilesListTheTilesBelowThem) {
  EXPECT_EQ(AvailabilityBelow({1, 0, 0}, 20), "");
  EXPECT_EQ(AvailabilityBelow({0, 1, 0}, 2),
            R"({"available":[[{"startX":2,"startY":0,"endX":3,"endY":1}],)"
            R"([{"startX":4,"startY":0,"endX":7,"endY":3}]]})");
  EXPECT_EQ(AvailabilityBelow({10, 3, 5}, 11),
            R"({"available":[[{"startX":6,"startY":10,"endX":7,"endY":11}]]})");
  EXPECT_EQ(AvailabilityBelow({10, 3, 5}, 10), R"({"available":[]})");
}

TEST(MeshTileTest, ExtensionsAreIncludedOnRequest) {
  const GlobeTile tile{0, 0, 0};
  const DecodedMesh bare =
      DecodeMesh(Encode(MakeMesh(tile, kWgs84, SamplesOf(tile), {}, kMaxZoom)));
  EXPECT_TRUE(bare.normals.empty() && bare.water_mask.empty() && bare.metadata.empty());
  const DecodedMesh full = MeshOf(tile);
  EXPECT_EQ(full.normals.size(), full.u.size());
  EXPECT_EQ(full.water_mask, std::string(1, '\0'));
  EXPECT_FALSE(full.metadata.empty());
}

}  // namespace
}  // namespace thalweg::geographic
