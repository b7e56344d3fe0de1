// Squares of planets: their places, and how they are read from the vertices of the cube's faces.
#include "client/tools/globe/square.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include "client/tools/survey/spectrum.h"

namespace thalweg::globe {
namespace {

using sphere::FacePlace;
using sphere::Vector;
using survey::Grid;

constexpr double kRadiusM = 1'000'000;
constexpr int kLevel = 6;
constexpr double kCells = 256 << kLevel;

// Places where squares differ: inside a face, on an edge, at a corner, and at the north pole.
const FacePlace kInside{4, 0.37, 0.62};
const FacePlace kEdge{0, 1, 0.5};
const FacePlace kCorner{1, 0, 0};
const FacePlace kPole{2, 0.5, 0.5};

Square SquareAt(const FacePlace& place, int side) {
  const Vector middle = sphere::PointOf(place);
  return {middle, Vector{0.3, -0.2, 0.9}, side, CellSidesAt(middle, kLevel, kRadiusM).shortest_m,
          kRadiusM};
}

double LongestAt(const FacePlace& place) {
  return CellSidesAt(sphere::PointOf(place), kLevel, kRadiusM).longest_m;
}

// Returns the vertices under a square with a function of space as their values.
template <typename Height>
std::vector<FaceGrid> GridsUnder(const Square& square, const Height& height) {
  std::vector<FaceGrid> faces;
  for (const FaceVertices& vertices : VerticesUnder(square, kLevel)) {
    Grid<double> values = survey::FilledGrid(vertices.width, vertices.height, 0.0);
    for (int y = 0; y < vertices.height; ++y) {
      for (int x = 0; x < vertices.width; ++x) {
        values.At(x, y) = height(
            sphere::PointOf(FacePlace{vertices.face, static_cast<double>(vertices.x0 + x) / kCells,
                                      static_cast<double>(vertices.y0 + y) / kCells}));
      }
    }
    faces.push_back({vertices, std::move(values)});
  }
  return faces;
}

// Waves across a place: directions in the plane that touches it there, and phases.
struct Waves {
  std::vector<Vector> waves;
  std::vector<double> phases;

  // `lengths_m`: the shortest and the longest.
  Waves(const FacePlace& place, int count, std::pair<double, double> lengths_m,
        std::uint64_t seed) {
    const Vector up = sphere::PointOf(place);
    const Vector east = sphere::Unit(sphere::Cross({0.1, 0.2, 1}, up));
    const Vector north = sphere::Cross(up, east);
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> part(0, 1);
    for (int n = 0; n < count; ++n) {
      const double angle = std::numbers::pi * (n + part(random)) / count;
      const double length_m = std::lerp(lengths_m.first, lengths_m.second, part(random));
      waves.push_back(2 * std::numbers::pi * kRadiusM / length_m *
                      (std::cos(angle) * east + std::sin(angle) * north));
      phases.push_back(2 * std::numbers::pi * part(random));
    }
  }

  double At(const Vector& point) const {
    double sum = 0;
    for (std::size_t n = 0; n < waves.size(); ++n) {
      sum += std::cos(sphere::Dot(waves[n], point) + phases[n]);
    }
    return sum;
  }
};

double MeanSquare(const Grid<double>& grid) {
  double sum = 0;
  for (const double value : grid.values) sum += value * value;
  return sum / static_cast<double>(grid.values.size());
}

TEST(SquareTest, SamplesAreEquallyFarApart) {
  for (const FacePlace& place : {kInside, kEdge, kCorner, kPole}) {
    const Square square = SquareAt(place, 129);
    const double half_m = 64 * square.spacing_m();
    for (int i = 0; i < 128; ++i) {
      for (const int line : {0, 50, 128}) {
        const double along =
            kRadiusM * sphere::Length(square.PointAt(i + 1, line) - square.PointAt(i, line));
        const double down =
            kRadiusM * sphere::Length(square.PointAt(line, i + 1) - square.PointAt(line, i));
        const double most = half_m * half_m / (kRadiusM * kRadiusM) / 2 + 1e-9;
        EXPECT_NEAR(along / square.spacing_m(), 1, most);
        EXPECT_NEAR(down / square.spacing_m(), 1, most);
      }
    }
    EXPECT_LT(sphere::Length(square.PointAt(64, 64) - sphere::PointOf(place)), 1e-12);
  }
}

TEST(SquareTest, ContainsItsSamplesAndNothingBeside) {
  const Square square = SquareAt(kCorner, 65);
  EXPECT_TRUE(square.Contains(square.PointAt(0, 0)));
  EXPECT_TRUE(square.Contains(square.PointAt(64, 64)));
  EXPECT_TRUE(square.Contains(2 * square.PointAt(64, 3)));
  EXPECT_FALSE(square.Contains(square.PointAt(65, 3)));
  EXPECT_FALSE(square.Contains(square.PointAt(3, -1)));
  EXPECT_FALSE(square.Contains(-1 * square.PointAt(32, 32)));
}

TEST(SquareTest, LiesOnAllFacesAroundIt) {
  EXPECT_EQ(VerticesUnder(SquareAt(kInside, 65), kLevel).size(), 1U);
  EXPECT_EQ(VerticesUnder(SquareAt(kEdge, 65), kLevel).size(), 2U);
  EXPECT_EQ(VerticesUnder(SquareAt(kCorner, 65), kLevel).size(), 3U);
  for (const FaceVertices& face : VerticesUnder(SquareAt(kCorner, 65), kLevel)) {
    EXPECT_GE(face.x0, 0);
    EXPECT_GE(face.y0, 0);
    EXPECT_LE(face.x0 + face.width - 1, static_cast<std::int64_t>(kCells));
    EXPECT_LE(face.y0 + face.height - 1, static_cast<std::int64_t>(kCells));
    EXPECT_LT(face.width, 130);
  }
}

TEST(CellSidesTest, AreUnequalAtEdgesAndEqualAtCorners) {
  const double mean_m = std::numbers::pi / 2 * kRadiusM / kCells;
  const CellSides edge = CellSidesAt(sphere::PointOf(kEdge), kLevel, kRadiusM);
  EXPECT_NEAR(edge.longest_m / edge.shortest_m, std::numbers::sqrt2, 0.01);
  EXPECT_NEAR(edge.longest_m / mean_m, 0.85, 0.01);
  const CellSides corner = CellSidesAt(sphere::PointOf(kCorner), kLevel, kRadiusM);
  EXPECT_NEAR(corner.longest_m / corner.shortest_m, 1, 0.01);
  const CellSides pole = CellSidesAt(sphere::PointOf(kPole), kLevel, kRadiusM);
  EXPECT_NEAR(pole.longest_m / pole.shortest_m, 1, 0.01);
}

// Long waves are read as they are, on each face and over edges and corners.
TEST(SmoothSamplesTest, HaveTheValueOfTheirPlace) {
  for (const FacePlace& place : {kInside, kEdge, kCorner, kPole}) {
    const Square square = SquareAt(place, 65);
    const double longest_m = LongestAt(place);
    const Waves waves(place, 8, {30 * longest_m, 60 * longest_m}, 3);
    const auto faces = GridsUnder(square, [&](const Vector& point) { return waves.At(point); });
    const Grid<double> samples = SmoothSamples(square, kLevel, faces);
    double largest = 0;
    for (int y = 0; y < square.side(); ++y) {
      for (int x = 0; x < square.side(); ++x) {
        largest = std::max(largest, std::abs(samples.At(x, y) - waves.At(square.PointAt(x, y))));
      }
    }
    EXPECT_LT(largest, 1e-3) << place.face << " " << place.x << " " << place.y;
    // The twin: with the rows of a face and its columns exchanged, values are wrong.
    auto turned = faces;
    Grid<double>& values = turned.back().values;
    for (int y = 0; y < values.height; ++y) {
      for (int x = y + 1; x < values.width; ++x) {
        if (values.Contains(y, x)) std::swap(values.At(x, y), values.At(y, x));
      }
    }
    const Grid<double> wrong = SmoothSamples(square, kLevel, turned);
    EXPECT_NE(wrong.values, samples.values);
  }
}

TEST(SmoothSamplesTest, KeepThePowerOfWavesOfFourCells) {
  for (const FacePlace& place : {kInside, kEdge, kCorner, kPole}) {
    const Square square = SquareAt(place, 129);
    const double length_m = 4 * LongestAt(place);
    for (int n = 0; n < 6; ++n) {
      const Waves waves(place, 1, {length_m, length_m}, static_cast<std::uint64_t>(n));
      const auto faces = GridsUnder(square, [&](const Vector& point) { return waves.At(point); });
      const double smooth = MeanSquare(SmoothSamples(square, kLevel, faces));
      EXPECT_GT(smooth, 0.5 * 0.9);
      EXPECT_LT(smooth, 0.5 * 1.03);
    }
  }
}

// Waves of all directions have the same strength, wherever the square lies.
TEST(SmoothSamplesTest, ShowNoGridInNoiseWithoutOne) {
  constexpr int kSide = 129;
  for (const FacePlace& place : {kInside, kEdge, kCorner}) {
    const double longest_m = LongestAt(place);
    const Square square = SquareAt(place, kSide);
    const double unit = longest_m / square.spacing_m();
    const Waves waves(place, 180, {4 * longest_m, 12 * longest_m}, 11);
    const auto faces = GridsUnder(square, [&](const Vector& point) { return waves.At(point); });
    Grid<double> exact = survey::FilledGrid(kSide, kSide, 0.0);
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) exact.At(x, y) = waves.At(square.PointAt(x, y));
    }
    const auto sectors = [&](const Grid<double>& grid) {
      return *survey::Spectrum(grid).Sectors(4 * unit, 12 * unit);
    };
    const auto expected = sectors(exact);
    const auto smooth = sectors(SmoothSamples(square, kLevel, faces));
    const auto linear = sectors(LinearSamples(square, kLevel, faces));
    double smooth_off = 0;
    double linear_off = 0;
    for (std::size_t n = 0; n < expected.size(); ++n) {
      smooth_off = std::max(smooth_off, std::abs(smooth[n] / expected[n] - 1));
      linear_off = std::max(linear_off, std::abs(linear[n] / expected[n] - 1));
    }
    EXPECT_LT(smooth_off, 0.02) << place.face << " " << place.x << " " << place.y;
    // The twin: interpolation in lines would show in the sectors where cells are unequal.
    if (place.x == kEdge.x) {
      EXPECT_GT(linear_off, 0.04);
    }
  }
}

TEST(LinearSamplesTest, StayBetweenTheVertices) {
  const Square square = SquareAt(kCorner, 65);
  const auto faces =
      GridsUnder(square, [](const Vector& point) { return point.x > point.y ? 1.0 : 0.0; });
  std::set<bool> seen;
  for (const double value : LinearSamples(square, kLevel, faces).values) {
    EXPECT_GE(value, 0);
    EXPECT_LE(value, 1);
    seen.insert(value > 0.5);
  }
  EXPECT_EQ(seen.size(), 2U);
}

TEST(WaterSamplesTest, AreLevelOnALakeAndTheGroundBesideIt) {
  const Square square = SquareAt(kEdge, 65);
  const Waves hills(kEdge, 20, {20 * LongestAt(kEdge), 40 * LongestAt(kEdge)}, 5);
  constexpr double kLakeM = 0.5;
  const auto ground_m = GridsUnder(square, [&](const Vector& point) { return hills.At(point); });
  const auto water_m =
      GridsUnder(square, [&](const Vector& point) { return std::max(hills.At(point), kLakeM); });
  const Grid<double> ground = SmoothSamples(square, kLevel, ground_m);
  const Grid<double> water = WaterSamples(square, kLevel, water_m, ground_m, ground);
  int wet = 0;
  for (std::size_t i = 0; i < ground.values.size(); ++i) {
    if (water.values[i] == ground.values[i]) continue;
    EXPECT_EQ(water.values[i], kLakeM);
    ++wet;
  }
  EXPECT_GT(wet, 400);
  EXPECT_LT(wet, 65 * 65 - 400);
}

}  // namespace
}  // namespace thalweg::globe
