// The grain of planets does not show the cube: short waves are as strong in every direction along
// edges and at corners of faces as in faces' middles.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "client/tools/globe/square.h"
#include "client/tools/survey/spectrum.h"
#include "client/tools/survey/surface.h"
#include "gtest/gtest.h"
#include "proto/geometry/cube_sphere.h"
#include "server/world/world_library.h"
#include "tests/parity/backends.h"
#include "tests/parity/chain.h"
#include "tests/size.h"

namespace thalweg::parity {
namespace {

using globe::FaceGrid;
using globe::FaceVertices;
using globe::Square;
using sphere::FacePlace;
using sphere::Vector;

constexpr double kRadiusM = 6'371'000;
// Samples on a side of a region.
constexpr int kSide = 257;
constexpr int kSectors = 8;
// Wavelengths, in longest sides of cells.
constexpr double kShortest = 4;
constexpr double kLongest = 12;
// How much a mean sector may differ from that of faces' middles.
constexpr double kMost = 0.1;

// Land that is everywhere of the same kind: noise, with finer noise at each level.
std::shared_ptr<const world::World> EvenPlanet(int levels) {
  v1::WorldSpec spec;
  spec.set_name("even");
  spec.set_seed(5);
  spec.set_levels(static_cast<std::uint32_t>(levels));
  spec.mutable_sphere()->set_radius_m(kRadiusM);
  v1::Noise& lands = *spec.mutable_base()->mutable_fbm();
  lands.set_wavelength_m(700'000);
  lands.set_amplitude(800);
  spec.add_rules()->mutable_detail()->set_roughness(0.05);
  auto world = world::World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *world : nullptr;
}

std::shared_ptr<const world::World> Preset(const std::string& name) {
  const auto library = world::WorldLibrary::OfPresets();
  for (const auto& preset : library->worlds()) {
    if (preset->spec().name() == name) return preset;
  }
  ADD_FAILURE() << "no preset " << name;
  return nullptr;
}

enum Kind { kMiddle, kEdge, kCorner, kKinds };
constexpr const char* kKindNames[kKinds] = {"in faces", "along edges", "at corners"};

// The middle of a region, and the direction of its rows: along an axis of the face, which at edges
// and corners is an edge.
struct Place {
  Vector middle;
  Vector right;
};

Place PlaceOn(const FacePlace& at, bool rows) {
  constexpr double kStep = 1e-6;
  const Vector middle = sphere::PointOf(at);
  const Vector next =
      sphere::PointOf(FacePlace{at.face, at.x + (rows ? 0 : kStep), at.y + (rows ? kStep : 0)});
  return {middle, next - middle};
}

Place RandomPlace(Kind kind, std::mt19937_64& random) {
  const auto between = [&random](double first, double last) {
    return std::uniform_real_distribution<double>(first, last)(random);
  };
  const bool rows = random() % 2 == 1;
  FacePlace at{static_cast<int>(random() % sphere::kFaces), between(0.35, 0.65),
               between(0.35, 0.65)};
  const auto end = [&random] { return static_cast<double>(random() % 2); };
  if (kind == kEdge) (rows ? at.x : at.y) = end();
  if (kind == kEdge) (rows ? at.y : at.x) = between(0.15, 0.85);
  if (kind == kCorner) {
    at.x = end();
    at.y = end();
  }
  return PlaceOn(at, rows);
}

// What is measured of a region.
struct Grain {
  std::array<double, kSectors> sectors = {};
  double kurtosis = 0;
  double median_slope_deg = 0;
};

std::vector<FaceGrid> ReadUnder(Chain& chain, const Square& square, int level) {
  std::vector<FaceGrid> faces;
  for (const FaceVertices& at : globe::VerticesUnder(square, level)) {
    const auto values = chain.Read(level, {at.x0, at.y0, at.width, at.height, at.face});
    survey::Grid<double> ground_m{at.width, at.height, {}};
    for (const std::int32_t value : values) ground_m.values.push_back(value / 65536.0);
    faces.push_back({at, std::move(ground_m)});
  }
  return faces;
}

Grain GrainAt(Chain& chain, const Place& place, int level) {
  const globe::CellSides cells = globe::CellSidesAt(place.middle, level, kRadiusM);
  const Square square(place.middle, place.right, kSide, cells.shortest_m, kRadiusM);
  const survey::Grid<double> ground_m =
      globe::SmoothSamples(square, level, ReadUnder(chain, square, level));
  const double unit = cells.longest_m / cells.shortest_m;
  const auto sectors = survey::Spectrum(ground_m).Sectors(kShortest * unit, kLongest * unit);
  const auto curvature = survey::MeasureCurvature(ground_m);
  EXPECT_TRUE(sectors.has_value() && curvature.has_value());
  return {sectors.value_or(std::array<double, kSectors>{}), curvature ? curvature->kurtosis : 0,
          survey::MeasureSlopes(ground_m, cells.shortest_m, std::nullopt).gradients_deg[1]};
}

// Means over the regions of each kind, by level.
using Grains = std::vector<std::array<Grain, kKinds>>;

Grains Measure(const world::World& planet, const std::vector<int>& levels, int regions) {
  constexpr std::uint64_t kSeed = 29;
  backend::Backend* const backend = BackendOf("native");
  Grains grains(levels.size());
  if (backend == nullptr) return grains;
  std::mt19937_64 random(kSeed);
  for (int kind = 0; kind < kKinds; ++kind) {
    for (int n = 0; n < regions; ++n) {
      const Place place = RandomPlace(static_cast<Kind>(kind), random);
      Chain chain(*backend, planet.programs(), 256);
      for (std::size_t i = 0; i < levels.size(); ++i) {
        const Grain here = GrainAt(chain, place, levels[i]);
        Grain& mean = grains[i][static_cast<std::size_t>(kind)];
        for (std::size_t s = 0; s < kSectors; ++s) mean.sectors[s] += here.sectors[s] / regions;
        mean.kurtosis += here.kurtosis / regions;
        mean.median_slope_deg += here.median_slope_deg / regions;
      }
    }
  }
  return grains;
}

// Returns the largest difference of a sector from that of faces' middles, as a part of it.
double LargestLean(const std::array<Grain, kKinds>& grains, Kind kind) {
  double largest = 0;
  for (std::size_t s = 0; s < kSectors; ++s) {
    const double middle = grains[kMiddle].sectors[s];
    largest =
        std::max(largest, std::abs(grains[static_cast<std::size_t>(kind)].sectors[s] / middle - 1));
  }
  return largest;
}

void Print(const std::string& name, const std::vector<int>& levels, const Grains& grains) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    for (int kind = 0; kind < kKinds; ++kind) {
      const Grain& grain = grains[i][static_cast<std::size_t>(kind)];
      std::printf("%-12s level %2d %-12s sectors", name.c_str(), levels[i], kKindNames[kind]);
      for (const double sector : grain.sectors) std::printf(" %.2f", sector);
      std::printf("; kurtosis %.1f; median slope %.1f\n", grain.kurtosis, grain.median_slope_deg);
    }
  }
}

class SphereGrainTest : public testing::Test {};

TEST_F(SphereGrainTest, IsEvenOnEvenNoise) {
  const std::vector<int> levels = FewOrAll<std::vector<int>>({8}, {4, 8, 12, 14});
  const auto planet = EvenPlanet(levels.back() + 1);
  ASSERT_NE(planet, nullptr);
  const Grains grains = Measure(*planet, levels, FewOrAll(8, 20));
  Print("even noise", levels, grains);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    EXPECT_LT(LargestLean(grains[i], kEdge), kMost) << "level " << levels[i];
    EXPECT_LT(LargestLean(grains[i], kCorner), kMost) << "level " << levels[i];
  }
}

TEST_F(SphereGrainTest, OfThePresets) {
  const std::vector<int> levels = {4, 8, 12, 14};
  const auto planet = Preset("blue-planet");
  ASSERT_NE(planet, nullptr);
  const Grains grains = Measure(*planet, levels, 20);
  Print("blue-planet", levels, grains);
}

}  // namespace
}  // namespace thalweg::parity
