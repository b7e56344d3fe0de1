#include "tests/field/test_world.h"

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace thalweg::field {

namespace {

std::shared_ptr<const world::World> ThermalWorld(int levels, std::uint32_t seed, int stages,
                                                 std::uint32_t iterations) {
  v1::WorldSpec spec;
  spec.set_name(absl::StrCat("test-", seed));
  spec.set_seed(seed);
  spec.set_levels(static_cast<std::uint32_t>(levels));
  spec.mutable_base()->set_constant(100);
  v1::LevelRule* rule = spec.add_rules();
  rule->mutable_detail()->set_roughness(0.05);
  for (int i = 0; i < stages; ++i) {
    rule->add_stages()->mutable_thermal()->set_iterations(iterations);
  }
  absl::StatusOr<std::shared_ptr<const world::World>> world = world::World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *world : nullptr;
}

}  // namespace

std::shared_ptr<const world::World> TestWorld(int levels, std::uint32_t seed) {
  return ThermalWorld(levels, seed, 1, 2);
}

std::shared_ptr<const world::World> CostlyWorld() { return ThermalWorld(6, 1, 2, 32); }

std::shared_ptr<const world::World> WaterWorld() {
  v1::WorldSpec spec;
  spec.set_name("test-water");
  spec.set_levels(3);
  spec.set_sea_level_m(-200);
  v1::Noise* noise = spec.mutable_base()->mutable_fbm();
  noise->set_wavelength_m(40'000);
  noise->set_amplitude(1'500);
  v1::LevelRule* rule = spec.add_rules();
  rule->mutable_detail();
  v1::Pools* pools = rule->add_stages()->mutable_pools();
  pools->set_path(4);
  pools->set_fills(8);
  v1::Fluvial* fluvial = rule->add_stages()->mutable_fluvial();
  fluvial->set_drainage(4);
  fluvial->set_iterations(2);
  absl::StatusOr<std::shared_ptr<const world::World>> world = world::World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *world : nullptr;
}

}  // namespace thalweg::field
