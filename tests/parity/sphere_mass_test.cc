// Stages move a planet's ground, also over the edges of its faces, and lose none of it.
#include <cmath>

#include "gtest/gtest.h"
#include "proto/geometry/cube_sphere.h"
#include "tests/parity/backends.h"
#include "tests/parity/chain.h"
#include "tests/parity/random_planet.h"
#include "tests/parity/random_world.h"
#include "tests/proto/geometry/continued.h"
#include "tests/size.h"

namespace thalweg::parity {
namespace {

using backend::Layer;

constexpr int kFaceCells = 256;

// A planet with bumps everywhere, and one level.
std::shared_ptr<const world::World> BumpyPlanet(double radius_m, std::uint64_t seed,
                                                const std::vector<v1::Stage>& stages) {
  v1::WorldSpec spec;
  spec.set_name("planet");
  spec.set_seed(seed);
  spec.set_levels(1);
  spec.mutable_sphere()->set_radius_m(radius_m);
  v1::Noise& bumps = *spec.mutable_base()->mutable_fbm();
  bumps.set_wavelength_m(radius_m / 8);
  bumps.set_amplitude(4000);
  v1::LevelRule& rule = *spec.add_rules();
  for (const v1::Stage& stage : stages) *rule.add_stages() = stage;
  auto world = world::World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *world : nullptr;
}

// The sum over the vertices of all faces. A vertex that faces share counts once.
std::int64_t Sum(Chain& chain, Layer layer) {
  std::int64_t sum = 0;
  for (int face = 0; face < sphere::kFaces; ++face) {
    constexpr int kVertices = kFaceCells + 1;
    const auto values = chain.Read(0, {0, 0, kVertices, kVertices, face}, layer);
    for (int n = 0; n < kVertices * kVertices; ++n) {
      const sphere::Vertex vertex{face, n % kVertices, n / kVertices};
      if (sphere::Continued(vertex, kFaceCells).face == face) {
        sum += values.at(static_cast<std::size_t>(n));
      }
    }
  }
  return sum;
}

struct Account {
  std::int64_t grains = 0;
  std::int64_t wash_load = 0;
};

Account AccountOf(backend::Backend& backend, const world::World& planet, int grain_bits,
                  bool exchange = true) {
  backend::RunOptions options;
  options.layers = {Layer::kWashLoad, Layer::kUplift, Layer::kFraction};
  options.exchange_seams = exchange;
  Chain chain(backend, planet.programs(), kFaceCells, options);
  const std::int64_t wash_load = Sum(chain, Layer::kWashLoad);
  const std::int64_t units = Sum(chain, Layer::kHeight) + wash_load - Sum(chain, Layer::kUplift);
  return {(units << grain_bits) + Sum(chain, Layer::kFraction), wash_load};
}

class SphereMassTest : public testing::TestWithParam<const char*> {};

TEST_P(SphereMassTest, MassIsConserved) {
  backend::Backend* const backend = BackendOf(GetParam());
  ASSERT_NE(backend, nullptr);
  for (std::uint64_t seed = 1; seed <= FewOrAll(1U, 2U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const double radius_m = std::vector{6.4e6, 4e5, 5e4}[seed % 3];
    const v1::Stage droplet = RandomDroplet(random, 40);
    const auto bare = BumpyPlanet(radius_m, seed, {});
    const auto rained = BumpyPlanet(
        radius_m, seed,
        {droplet, GentleThermal(random), RandomDroplet(random, 20), RandomPools(random)});
    ASSERT_TRUE(bare != nullptr && rained != nullptr);
    const int grain_bits =
        std::get<stages::DropletStage>(rained->programs()[0].stages[0]).params.grain_bits;
    const Account before = AccountOf(*backend, *bare, grain_bits);
    const Account after = AccountOf(*backend, *rained, grain_bits);
    EXPECT_EQ(after.grains, before.grains);
    EXPECT_NE(after.wash_load, 0) << "nothing was carried away: the test would not see a loss";
    // The twin: without exchange over the edges, ground is lost, and the account shows it.
    EXPECT_NE(AccountOf(*backend, *rained, grain_bits, false).grains, before.grains);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, SphereMassTest, kDevicesOfLaws, NameOfDevice);

std::vector<std::int32_t> SomeHeights(backend::Backend& backend, const world::World& planet) {
  Chain chain(backend, planet.programs(), kFaceCells);
  return chain.Read(0, {0, 0, kFaceCells, kFaceCells, 1});
}

class SphereKindsMassTest : public testing::TestWithParam<const char*> {};

TEST_P(SphereKindsMassTest, EveryKindConservesMass) {
  backend::Backend* const backend = BackendOf(GetParam());
  ASSERT_NE(backend, nullptr);
  constexpr double kRadiusM = 5e4;
  constexpr std::uint64_t kPlanetSeed = 3;
  Random random(kPlanetSeed);
  const auto bare = BumpyPlanet(kRadiusM, kPlanetSeed, {});
  const auto rained = BumpyPlanet(kRadiusM, kPlanetSeed, {RandomDroplet(random, 1)});
  ASSERT_TRUE(bare != nullptr && rained != nullptr);
  const int grain_bits =
      std::get<stages::DropletStage>(rained->programs()[0].stages[0]).params.grain_bits;
  const Account before = AccountOf(*backend, *bare, grain_bits);
  for (const auto& stages : EveryKind(random, 12)) {
    // Plants alone move nothing.
    if (stages.front().has_ground() || stages.front().has_vegetation()) continue;
    SCOPED_TRACE(TextOf(stages));
    const auto planet = BumpyPlanet(kRadiusM, kPlanetSeed, stages);
    ASSERT_NE(planet, nullptr);
    EXPECT_EQ(AccountOf(*backend, *planet, grain_bits).grains, before.grains);
    EXPECT_NE(SomeHeights(*backend, *planet), SomeHeights(*backend, *bare))
        << "nothing moved: the test would not see a loss";
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, SphereKindsMassTest, kDevicesOfStatistics, NameOfDevice);

}  // namespace
}  // namespace thalweg::parity
