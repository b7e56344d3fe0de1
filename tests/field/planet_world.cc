#include "tests/field/planet_world.h"

#include <gtest/gtest.h>

#include "absl/status/statusor.h"

namespace thalweg::field {

std::shared_ptr<const world::World> PlanetWorld(int levels) {
  v1::WorldSpec spec;
  spec.set_name("test-planet");
  spec.set_levels(static_cast<std::uint32_t>(levels));
  spec.mutable_sphere()->set_radius_m(kPlanetRadiusM);
  spec.mutable_base()->set_constant(100);
  v1::LevelRule* rule = spec.add_rules();
  rule->mutable_detail()->set_roughness(0.05);
  rule->add_stages()->mutable_thermal()->set_iterations(2);
  absl::StatusOr<std::shared_ptr<const world::World>> world = world::World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *world : nullptr;
}

}  // namespace thalweg::field
