// The grain of planets does not show the cube: short waves are as strong in every direction along
// edges and at corners of faces as in faces' middles, and smooth land has no crease at an edge.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
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

constexpr double kEarthRadiusM = 6'371'000;
// Samples on a side of a region.
constexpr int kSide = 257;
constexpr int kSectors = 8;
// Wavelengths, in longest sides of cells.
constexpr double kShortest = 4;
constexpr double kLongest = 12;
// How much a mean sector may differ from that of faces' middles, as a part of it. Means of few
// regions are less certain.
const double kMost = FewOrAll(0.15, 0.1);
// Where land differs from region to region: the mean of twenty regions is uncertain by 0.02 to
// 0.08.
constexpr double kMostByChance = 0.25;

// Land that is everywhere of the same kind: noise, with finer noise at each level.
v1::WorldSpec EvenPlanet(int levels) {
  v1::WorldSpec spec;
  spec.set_name("even");
  spec.set_levels(static_cast<std::uint32_t>(levels));
  spec.mutable_sphere()->set_radius_m(kEarthRadiusM);
  v1::Noise& lands = *spec.mutable_base()->mutable_fbm();
  lands.set_wavelength_m(700'000);
  lands.set_amplitude(800);
  spec.add_rules()->mutable_detail()->set_roughness(0.05);
  return spec;
}

v1::WorldSpec Preset(const std::string& name) {
  const auto world = world::WorldLibrary::OfPresets()->Find(name);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? (*world)->spec() : v1::WorldSpec();
}

// The same planet with another seed. A planet has only eight corners, whose land may lean.
std::vector<world::LevelProgram> ProgramsOf(v1::WorldSpec spec, int seed) {
  constexpr int kFirstSeed = 1000;
  spec.set_seed(static_cast<std::uint64_t>(kFirstSeed + seed));
  const auto world = world::World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? (*world)->programs() : std::vector<world::LevelProgram>();
}

enum PlaceKind { kMiddle, kEdge, kCorner, kPlaceKinds };
constexpr const char* kPlaceNames[kPlaceKinds] = {"in faces", "along edges", "at corners"};

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

Place RandomPlace(PlaceKind kind, std::mt19937_64& random) {
  const auto between = [&random](double first, double last) {
    return std::uniform_real_distribution<double>(first, last)(random);
  };
  const bool rows = random() % 2 == 1;
  FacePlace at{static_cast<int>(random() % sphere::kFaces), between(0.35, 0.65),
               between(0.35, 0.65)};
  const auto end = [&random] { return static_cast<double>(random() % 2); };
  if (kind == kEdge) {
    (rows ? at.x : at.y) = end();
    (rows ? at.y : at.x) = between(0.15, 0.85);
  }
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

// How a region is read: on a square of equal metres, or by the vertices' indices, as if cells were
// squares.
enum class Reading : std::uint8_t { kByMetres, kByIndex };

// A region's ground, and the unit that wavelengths are counted in, in samples.
struct Ground {
  survey::Grid<double> ground_m;
  double spacing_m;
  double unit;
};

Ground ReadByMetres(Chain& chain, const Place& place, int level) {
  const globe::CellSides cells = globe::CellSidesAt(place.middle, level, kEarthRadiusM);
  const Square square(place.middle, place.right, kSide, cells.shortest_m, kEarthRadiusM);
  return {globe::SmoothSamples(square, level, ReadUnder(chain, square, level)), cells.shortest_m,
          cells.longest_m / cells.shortest_m};
}

// The vertices of the face nearest to the place, turned so that an edge there runs along the rows.
Ground ReadByIndex(Chain& chain, const Place& place, int level) {
  const std::int64_t cells = std::int64_t{256} << level;
  const auto first = [cells](double at) {
    return std::clamp<std::int64_t>(std::llround(at * static_cast<double>(cells)) - kSide / 2, 0,
                                    cells + 1 - kSide);
  };
  const FacePlace at = sphere::PlaceOf(place.middle);
  const auto values = chain.Read(level, {first(at.x), first(at.y), kSide, kSide, at.face});
  const bool turned = at.x < 1e-6 || at.x > 1 - 1e-6;
  survey::Grid<double> ground_m = survey::FilledGrid(kSide, kSide, 0.0);
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      ground_m.At(turned ? y : x, turned ? x : y) = values[ground_m.Index(x, y)] / 65536.0;
    }
  }
  return {std::move(ground_m), globe::CellSidesAt(place.middle, level, kEarthRadiusM).shortest_m,
          1};
}

Grain GrainAt(Chain& chain, const Place& place, int level, Reading reading) {
  const Ground land = reading == Reading::kByMetres ? ReadByMetres(chain, place, level)
                                                    : ReadByIndex(chain, place, level);
  const auto sectors =
      survey::Spectrum(land.ground_m).Sectors(kShortest * land.unit, kLongest * land.unit);
  const auto curvature = survey::MeasureCurvature(land.ground_m);
  EXPECT_TRUE(sectors.has_value() && curvature.has_value());
  return {sectors.value_or(std::array<double, kSectors>{}), curvature ? curvature->kurtosis : 0,
          survey::MeasureSlopes(land.ground_m, land.spacing_m, std::nullopt).gradients_deg[1]};
}

// Means over the regions of each kind, by level. Each region is on a planet with another seed.
using Grains = std::vector<std::array<Grain, kPlaceKinds>>;

Grains Measure(const v1::WorldSpec& planet, const std::vector<int>& levels, int regions,
               Reading reading = Reading::kByMetres) {
  constexpr std::uint64_t kSeed = 29;
  backend::Backend* const backend = BackendOf("native");
  Grains grains(levels.size());
  if (backend == nullptr) return grains;
  std::mt19937_64 random(kSeed);
  for (int kind = 0; kind < kPlaceKinds; ++kind) {
    for (int n = 0; n < regions; ++n) {
      const Place place = RandomPlace(static_cast<PlaceKind>(kind), random);
      Chain chain(*backend, ProgramsOf(planet, n), 256);
      for (std::size_t i = 0; i < levels.size(); ++i) {
        const Grain here = GrainAt(chain, place, levels[i], reading);
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
double LargestLean(const std::array<Grain, kPlaceKinds>& grains, PlaceKind kind) {
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
    for (int kind = 0; kind < kPlaceKinds; ++kind) {
      const Grain& grain = grains[i][static_cast<std::size_t>(kind)];
      std::printf("%-12s level %2d %-12s sectors", name.c_str(), levels[i], kPlaceNames[kind]);
      for (const double sector : grain.sectors) std::printf(" %.2f", sector);
      std::printf("; kurtosis %.1f; median slope %.1f\n", grain.kurtosis, grain.median_slope_deg);
    }
  }
}

// The levels and the regions of each kind that a test measures.
const std::vector<int> kLevels = FewOrAll<std::vector<int>>({8}, {4, 8, 12, 14});
const int kRegions = FewOrAll(8, 20);

// Of each level, in the order of kLevels.
void ExpectLittleLean(const Grains& grains, double most) {
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    EXPECT_LT(LargestLean(grains[i], kEdge), most) << "along edges, level " << kLevels[i];
    EXPECT_LT(LargestLean(grains[i], kCorner), most) << "at corners, level " << kLevels[i];
  }
}

TEST(SphereGrainTest, IsTheSameAtEdgesAndCornersOnEvenNoise) {
  const Grains grains = Measure(EvenPlanet(kLevels.back() + 1), kLevels, kRegions);
  Print("even noise", kLevels, grains);
  ExpectLittleLean(grains, kMost);
}

// The twin: cells at edges are not squares, and waves that are counted in cells show it.
TEST(SphereGrainTest, LeansIfCellsAreTakenForSquares) {
  const Grains grains = Measure(EvenPlanet(9), {8}, 8, Reading::kByIndex);
  Print("by index", {8}, grains);
  EXPECT_GT(LargestLean(grains[0], kEdge), 2 * kMost);
}

TEST(SphereGrainTest, IsTheSameAtEdgesAndCornersOfABluePlanet) {
  if (!IsExhaustive()) GTEST_SKIP() << "minutes: only in an exhaustive run";
  const Grains grains = Measure(Preset("blue-planet"), kLevels, kRegions);
  Print("blue-planet", kLevels, grains);
  ExpectLittleLean(grains, kMostByChance);
}

// How much more smooth ground bends beside an edge than at some distance from it: by how much a
// vertex differs from the middle of the vertices before and after it, on the way from the edge.
double CreaseOf(const survey::Grid<double>& ground_m) {
  const auto bend_m = [&ground_m](int first, int last) {
    std::vector<double> bends;
    for (int y = 0; y < ground_m.height; ++y) {
      for (int x = first; x <= last; ++x) {
        bends.push_back(
            std::abs(ground_m.At(x - 1, y) - 2 * ground_m.At(x, y) + ground_m.At(x + 1, y)));
      }
    }
    const auto median = bends.begin() + static_cast<std::ptrdiff_t>(bends.size() / 2);
    std::nth_element(bends.begin(), median, bends.end());
    return *median;
  };
  return bend_m(1, 2) / bend_m(9, 16);
}

// The ground beside the west edge of a face, near its north-western corner.
survey::Grid<double> BesideEdge(const v1::WorldSpec& planet, int seed, int level, int face) {
  survey::Grid<double> ground_m = survey::FilledGrid(18, 200, 0.0);
  Chain chain(*BackendOf("native"), ProgramsOf(planet, seed), 256);
  const auto values = chain.Read(level, {0, 30, ground_m.width, ground_m.height, face});
  for (std::size_t i = 0; i < values.size(); ++i) ground_m.values[i] = values[i] / 65536.0;
  return ground_m;
}

// Continents without anything that levels add.
v1::WorldSpec SmoothPlanet(int levels) {
  v1::WorldSpec spec = EvenPlanet(levels);
  v1::Noise& lands = *spec.mutable_base()->mutable_fbm();
  lands.set_wavelength_m(5'000'000);
  lands.set_octaves(2);
  v1::Detail& detail = *spec.mutable_rules(0)->mutable_detail();
  detail.set_roughness(0);
  detail.set_slope_roughness(0);
  return spec;
}

constexpr double kMostCrease = 2;

TEST(SphereGrainTest, SmoothLandHasNoCreaseAtEdges) {
  constexpr int kLevel = 3;
  ASSERT_NE(BackendOf("native"), nullptr);
  for (int face = 0; face < sphere::kFaces; ++face) {
    EXPECT_LT(CreaseOf(BesideEdge(SmoothPlanet(kLevel + 1), face, kLevel, face)), kMostCrease)
        << "face " << face;
  }
}

// The twin: what interpolation over the edge makes of a slope along it, where the two faces'
// columns lean by a quarter of a cell to either side.
TEST(SphereGrainTest, SlopesThatBendAtAnEdgeHaveACrease) {
  constexpr int kLevel = 3;
  ASSERT_NE(BackendOf("native"), nullptr);
  survey::Grid<double> ground_m = BesideEdge(SmoothPlanet(kLevel + 1), 0, kLevel, 0);
  for (int y = 0; y + 1 < ground_m.height; ++y) {
    ground_m.At(1, y) += (ground_m.At(1, y + 1) - ground_m.At(1, y)) / 32;
  }
  EXPECT_GT(CreaseOf(ground_m), kMostCrease);
}

}  // namespace
}  // namespace thalweg::parity
