#include "tests/parity/random_planet.h"

#include <cmath>

#include "gtest/gtest.h"

namespace thalweg::parity {
namespace {

// The most steps of a droplet. A planet's windows are so large that more would make tests slow.
constexpr int kMaxSteps = 8;

double Between(Random& random, double least, double most) {
  return std::uniform_real_distribution<double>(least, most)(random);
}

}  // namespace

v1::Stage GentleThermal(Random& random) {
  v1::Stage stage = RandomThermal(random);
  stage.mutable_thermal()->set_talus_deg(Between(random, 1, 3));
  return stage;
}

std::shared_ptr<const world::World> RandomPlanet(Random& random, int levels) {
  v1::WorldSpec spec;
  spec.set_name("planet");
  spec.set_seed(random());
  spec.set_levels(static_cast<std::uint32_t>(levels));
  const double radius_m = std::exp(Between(random, std::log(50e3), std::log(7e6)));
  spec.mutable_sphere()->set_radius_m(radius_m);
  spec.set_sea_level_m(0);
  v1::Warp& warp = *spec.mutable_base()->mutable_warp();
  v1::Noise& lands = *warp.mutable_source()->mutable_fbm();
  lands.set_wavelength_m(radius_m);
  lands.set_amplitude(3000);
  v1::Noise& moved = *warp.mutable_displacement();
  moved.set_wavelength_m(radius_m / 2);
  moved.set_amplitude(radius_m / 8);
  moved.set_salt(3);
  for (int level = 0; level < levels; ++level) {
    v1::LevelRule& rule = *spec.add_rules();
    rule.set_from_level(static_cast<std::uint32_t>(level));
    rule.set_to_level(static_cast<std::uint32_t>(level));
    if (random() % 2 == 0) *rule.add_stages() = GentleThermal(random);
    v1::Stage& rivers = *rule.add_stages();
    rivers = RandomRivers(random);
    // With such large cells, mountains would be too high.
    rivers.mutable_rivers()->set_steepness(Between(random, 0.1, 5));
    rivers.mutable_rivers()->set_concavity(Between(random, 0.4, 0.6));
    if (level % 3 == 1) *rule.add_stages() = RandomDroplet(random, kMaxSteps);
    if (level % 3 == 2) *rule.add_stages() = RandomPools(random);
    if (random() % 2 == 0) *rule.add_stages() = GentleThermal(random);
  }
  auto world = world::World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *world : nullptr;
}

}  // namespace thalweg::parity
