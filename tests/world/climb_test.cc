#include "server/world/climb.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "server/world/world.h"
#include "server/world/world_library.h"
#include "tests/world/spec_fixtures.h"

namespace thalweg::world {
namespace {

// Rivers at level 0 of a world with cells of 4,096 m.
v1::WorldSpec RiverSpec(const std::string& rivers, const std::string& more = "") {
  v1::WorldSpec spec = SmallSpecWith(absl::StrCat("cell_size_m: 4096 ", more));
  v1::LevelRule& rule = *spec.mutable_rules(0);
  rule.clear_stages();
  EXPECT_TRUE(
      google::protobuf::TextFormat::ParseFromString(rivers, rule.add_stages()->mutable_rivers()));
  return spec;
}

double Climb(const std::string& rivers, const std::string& more = "") {
  const auto world = World::Create(RiverSpec(rivers, more));
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? ClimbM((*world)->spec()).value() : 0;
}

TEST(ClimbTest, IsTheSumOfSteadySlopes) {
  // The slope is that of the angle of repose, over 8 cells and the river's first cell.
  EXPECT_NEAR(Climb("steepness: 1000 concavity: 0.1 repose_deg: 10"), 9 * 4096 * 0.17633, 1);
  // The slope is 1.7 / x, at most 80 degrees: a harmonic sum, then 1.7 for each of 13 halvings.
  EXPECT_NEAR(Climb("steepness: 1 concavity: 0.5 repose_deg: 80"),
              1.7 * (2.71786 + 13) + 5.67128 * 0.5, 0.1);
  EXPECT_GT(Climb("steepness: 50", "steepness { constant: 3 }"),
            2 * Climb("steepness: 50", "steepness { constant: 1 }"));
  EXPECT_EQ(ClimbM(SmallSpec()).value(), 0);
}

TEST(ClimbTest, MountainsOverTheRangeAreRefused) {
  const auto world = World::Create(RiverSpec("steepness: 1000 concavity: 0.1 repose_deg: 60"));
  ASSERT_FALSE(world.ok());
  EXPECT_EQ(
      std::string(world.status().message()),
      "world 'alps': invalid rules[0].stages[0].rivers.steepness: expected a lower one, since "
      "mountains would rise to 63850 m of max 16000 m (more concavity helps too), got 1000");
}

TEST(ClimbTest, LandsOfTheLibraryStayFarBelow) {
  for (const auto& world : WorldLibrary::OfPresets()->worlds()) {
    EXPECT_LT(ClimbM(world->spec()).value(), 8000) << world->spec().name();
  }
}

}  // namespace
}  // namespace thalweg::world
