#include "server/world/cost.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>

#include "server/world/world.h"
#include "server/world/world_library.h"
#include "tests/world/spec_fixtures.h"

namespace thalweg::world {
namespace {

v1::WorldSpec Parsed(const std::string& text) {
  v1::WorldSpec spec;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &spec));
  return spec;
}

// A planet with this many stages of rivers at level 0, each with this many steps of every kind.
v1::WorldSpec PlanetWithRivers(int stages, unsigned steps) {
  v1::WorldSpec spec = Parsed(
      "name: 'planet' levels: 4 sphere { radius_m: 1e5 } base { constant: 100 } "
      "rules { from_level: 0 to_level: 0 } rules { from_level: 1 to_level: 3 }");
  for (int i = 0; i < stages; ++i) {
    v1::Rivers& rivers = *spec.mutable_rules(0)->add_stages()->mutable_rivers();
    rivers.set_steepness(0);
    rivers.set_steps(std::bit_floor(steps));
    rivers.set_drainage(std::bit_floor(steps));
    rivers.set_path(std::bit_floor(steps));
    rivers.set_fills(steps);
  }
  return spec;
}

std::string CostErrorOf(const v1::WorldSpec& spec) {
  const auto world = World::Create(spec);
  return world.ok() ? "" : std::string(world.status().message());
}

TEST(CostTest, APlanetThatWouldTakeMinutesIsRefused) {
  EXPECT_EQ(CostErrorOf(PlanetWithRivers(1, 1024)), "");
  const std::string error = CostErrorOf(PlanetWithRivers(8, 1024));
  EXPECT_TRUE(
      error.starts_with("world 'planet': invalid rules[0].stages[0].rivers: expected "
                        "blocks of level 0 that cost max 16777216 cells of work (fewer "
                        "steps, iterations, octaves or stages help), got "))
      << error;
  EXPECT_TRUE(error.ends_with(", of which this takes 12 %")) << error;
}

TEST(CostTest, ErrorsNameTheMostExpensiveNode) {
  v1::WorldSpec spec = PlanetWithRivers(8, 511);
  *spec.mutable_base() =
      Parsed("base { sum { nodes { fbm { wavelength_m: 1e5 amplitude: 1 octaves: 2 } } } }").base();
  for (int outer = 0; outer < 4; ++outer) {
    v1::Nodes& sum = *spec.mutable_base()->mutable_sum()->add_nodes()->mutable_sum();
    for (int inner = 0; inner < 6; ++inner) {
      v1::Craters& craters = *sum.add_nodes()->mutable_craters();
      craters.set_wavelength_m(outer == 2 && inner == 5 ? 1e5 : 5e4);
      craters.set_octaves(16);
      craters.set_salt(static_cast<unsigned>(6 * outer + inner));
      craters.set_depth(1e-6);
    }
  }
  const std::string error = CostErrorOf(spec);
  EXPECT_NE(error.find("base.sum.nodes[3].sum.nodes[5].craters"), std::string::npos) << error;
}

TEST(CostTest, PresetsStayFarBelowTheLimit) {
  for (const auto& world : WorldLibrary::OfPresets()->worlds()) {
    const auto costs = LevelCosts(world->programs());
    EXPECT_LT(*std::max_element(costs.begin(), costs.end()), kMaxBlockCells / 4) << world->name();
  }
}

// A cell of the unit is what it is said to be.
TEST(CostTest, ALevelOfAlpineCostsOneUnitPerCell) {
  const auto alpine = WorldLibrary::OfPresets()->Find("alpine");
  ASSERT_TRUE(alpine.ok());
  EXPECT_NEAR(static_cast<double>(LevelCosts((*alpine)->programs())[5]), 65'536, 6'000);
}

TEST(CostTest, MoreWorkCostsMore) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    v1::WorldSpec spec = RandomSpec(seed);
    if (spec.has_sphere() || spec.rules(0).stages_size() == 8) continue;
    const auto before = World::Create(spec);
    ASSERT_TRUE(before.ok()) << before.status();
    spec.mutable_rules(0)->add_stages()->mutable_blur()->set_iterations(1);
    const auto after = World::Create(spec);
    if (!after.ok()) continue;
    EXPECT_LT(LevelCosts((*before)->programs())[0], LevelCosts((*after)->programs())[0])
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace thalweg::world
