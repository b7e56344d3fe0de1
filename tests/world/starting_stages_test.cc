#include "server/world/starting_stages.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "server/world/world.h"

namespace thalweg::world {
namespace {

// Levels 0 to 8 with cells of 512 to 2 m.
v1::WorldSpec SpecWith(const std::string& rules) {
  v1::WorldSpec spec;
  const std::string text =
      "name: 'alps' levels: 9 cell_size_m: 512 base { fbm { wavelength_m: 100000 } } " + rules;
  if (!google::protobuf::TextFormat::ParseFromString(text, &spec)) std::abort();
  return spec;
}

std::string RefusalOf(const std::string& rules) {
  const auto world = World::Create(SpecWith(rules));
  return world.ok() ? "" : std::string(world.status().message());
}

TEST(StartingStagesTest, StartFromACoarserLevel) {
  EXPECT_EQ(RefusalOf("rules { stages { ground { } } }"),
            "world 'alps': invalid rules[0].from_level: expected min 1, since `ground` starts from "
            "a coarser level, got 0");
  EXPECT_EQ(
      RefusalOf("base_level: 3 rules { to_level: 2 } rules { from_level: 3 stages { ground { } "
                "} }"),
      "world 'alps': invalid rules[1].from_level: expected min 4, since `ground` starts from "
      "a coarser level, got 3");
  EXPECT_EQ(
      RefusalOf("base_level: 3 rules { to_level: 3 } rules { from_level: 4 stages { ground { } "
                "} }"),
      "");
}

TEST(StartingStagesTest, BeginWhereHillslopesAreResolved) {
  const std::string rivers =
      "rules { to_level: 2 stages { rivers { channel_area_m2: 90000 } } } "
      "rules { from_level: 3 to_level: 5 stages { rivers { channel_area_m2: 10000 steepness: 5 } } "
      "} ";
  EXPECT_EQ(RefusalOf(rivers + "rules { from_level: 6 stages { ground { } } }"), "");
  const std::string early =
      "rules { to_level: 2 stages { rivers { channel_area_m2: 10000 } } } "
      "rules { from_level: 3 stages { ground { } } }";
  EXPECT_EQ(RefusalOf(early),
            "world 'alps': invalid rules[1].from_level: expected min 6, since `ground` begins "
            "where cells are 12.5 m or less: an eighth of the root of the channel_area_m2 above "
            "it, got 3");
  // Without rivers nothing says how long hillslopes are.
  EXPECT_EQ(RefusalOf("rules { to_level: 0 } rules { from_level: 1 stages { ground { } } }"), "");
}

TEST(StartingStagesTest, CoastsNeedASea) {
  const std::string coast =
      "rules { to_level: 0 } rules { from_level: 1 stages { ground { coast { } } } }";
  EXPECT_EQ(RefusalOf(coast),
            "world 'alps': rules[1].stages[0].ground.coast is given, but the world has no "
            "sea_level_m");
  EXPECT_EQ(RefusalOf("sea_level_m: 0 " + coast), "");
}

TEST(StartingStagesTest, RiversRunOnFromCoarserLevels) {
  const std::string rivers =
      "rules { to_level: 5 stages { rivers { channel_area_m2: 10000 steepness: 5 } } } ";
  const std::string with = "rules { from_level: 6 to_level: 6 stages { ground { rivers { } } } } ";
  const std::string without = "rules { from_level: 6 to_level: 6 stages { ground { } } } ";
  const std::string finer = "rules { from_level: 7 stages { ground { rivers { } } } }";
  EXPECT_EQ(RefusalOf(rivers + with + finer), "");
  EXPECT_EQ(RefusalOf("rules { to_level: 5 } " + with + finer),
            "world 'alps': rules[1].stages[0].ground.rivers is given, but no coarser level has a "
            "stage `rivers`");
  EXPECT_EQ(RefusalOf(rivers + without + finer),
            "world 'alps': rules[2].stages[0].ground.rivers is given, but "
            "rules[1].stages[0].ground above it has none");
}

// The curve counts once: above the ground, which stands on what it shows.
TEST(StartingStagesTest, GroundStandsOnShownHeights) {
  const auto world = World::Create(SpecWith(
      "height_curve { points { in: 0 out: 0 } points { in: 10 out: 30 } } rules { to_level: 2 } "
      "rules { from_level: 3 to_level: 5 stages { ground { } } } rules { from_level: 6 }"));
  ASSERT_TRUE(world.ok()) << world.status();
  for (int level = 0; level < 9; ++level) {
    const LevelProgram& program = (*world)->level(level);
    EXPECT_EQ(program.height_curve().empty(), level > 2) << level;
    EXPECT_EQ(program.CurveOfBlocks().empty(), level >= 2) << level;
    EXPECT_EQ(program.keeps_shown_heights, level == 2) << level;
  }
}

TEST(StartingStagesTest, ConsecutiveStagesAreCounted) {
  const auto world = World::Create(SpecWith(
      "rules { to_level: 1 } rules { from_level: 2 to_level: 4 stages { ground { } } } "
      "rules { from_level: 5 to_level: 5 } rules { from_level: 6 stages { ground { } } }"));
  ASSERT_TRUE(world.ok()) << world.status();
  const int above[] = {0, 0, 0, 1, 2, 3, 0, 1, 2};
  for (int level = 0; level < 9; ++level) {
    EXPECT_EQ(StartingStagesAbove((*world)->spec(), level), above[level]) << level;
  }
}

}  // namespace
}  // namespace thalweg::world
