#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "server/world/constraints.h"
#include "server/world/world.h"
#include "server/world/world_library.h"
#include "tests/world/spec_fixtures.h"

namespace thalweg::world {
namespace {

constexpr double kDiagonal = 1.41421356;

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
  // The slope is that of the angle of repose, over 8 diagonals of each of three levels; and over
  // 3/8 of a cell of each for the mean relief.
  EXPECT_NEAR(Climb("steepness: 1000 concavity: 0.1 repose_deg: 10"),
              (8 * kDiagonal + 0.375) * (4096 + 2048 + 1024) * 0.17633, 1);
  // The slope is 170 / x: harmonic sums over 1 to 8, 5 to 12 and 7 to 14 steps.
  EXPECT_NEAR(Climb("steepness: 100 concavity: 0.5 repose_deg: 80 drainage: 16"),
              170 * (2.71786 + 1.01988 + 0.80156 + 0.375 * (1 + (1.0 / 4 + 1.0 / 6) / kDiagonal)),
              1);
  EXPECT_GT(Climb("steepness: 50", "steepness { constant: 3 }"),
            2 * Climb("steepness: 50", "steepness { constant: 1 }"));
  EXPECT_EQ(ClimbM((*World::Create(SmallSpec()))->spec()).value(), 0);
}

TEST(ClimbTest, EveryStageOfEveryLevelAddsItsSteps) {
  const std::string rivers = "steepness: 1000 concavity: 0.1 repose_deg: 5 ";
  constexpr double kSlope = 0.087489;
  const double once = Climb(rivers);
  v1::WorldSpec twice = RiverSpec(rivers);
  *twice.mutable_rules(0)->add_stages() = twice.rules(0).stages(0);
  EXPECT_NEAR(ClimbM((*World::Create(twice))->spec()).value(), 2 * once, 1);
  // A level that starts from the base does not start from its parent's ground.
  EXPECT_NEAR(Climb(rivers, "base_level: 1"), (8 * kDiagonal + 0.375) * 4096 * kSlope, 1);
  EXPECT_NEAR(Climb(rivers, "base_level: 2"), (8 * kDiagonal + 0.375) * 4096 * kSlope, 1);
  // A finer level may be steeper than the one before.
  v1::WorldSpec finer = RiverSpec("steepness: 1");
  finer.mutable_rules(0)->set_to_level(0);
  v1::LevelRule& rule = *finer.add_rules();
  rule.set_from_level(1);
  *rule.add_stages() = RiverSpec(rivers).rules(0).stages(0);
  EXPECT_GT(ClimbM((*World::Create(finer))->spec()).value(), 8 * (2048 + 1024) * kSlope);
}

// Why a specification is refused.
std::string Refusal(const v1::WorldSpec& spec) {
  const auto world = World::Create(spec);
  return world.ok() ? "" : std::string(world.status().message());
}

constexpr char kSteep[] = "steepness: 1000 concavity: 0.1 repose_deg: 60";

TEST(ClimbTest, MountainsBeyondTheRangeAreRefused) {
  EXPECT_EQ(
      Refusal(RiverSpec(kSteep)),
      "world 'alps': invalid rules[0].stages[0].rivers.steepness: expected a lower one, since "
      "mountains would rise to 145119 m of max 16000 m (more concavity helps too), got 1000");
}

TEST(ClimbTest, ErrorsNameTheSteepestStage) {
  v1::WorldSpec second = RiverSpec("steepness: 1");
  *second.mutable_rules(0)->add_stages() = RiverSpec(kSteep).rules(0).stages(0);
  EXPECT_THAT(Refusal(second), testing::HasSubstr("rules[0].stages[1].rivers.steepness"));
  for (const unsigned base_level : {0U, 1U, 2U}) {
    for (const unsigned level : {0U, 1U, 2U}) {
      v1::WorldSpec spec = RiverSpec("steepness: 1");
      spec.set_base_level(base_level);
      v1::LevelRule& steep = *spec.add_rules();
      steep = RiverSpec(kSteep).rules(0);
      steep.set_from_level(level);
      steep.set_to_level(level);
      spec.mutable_rules()->SwapElements(0, 1);
      EXPECT_THAT(Refusal(spec), testing::HasSubstr("rules[0].stages[0].rivers.steepness"))
          << "level " << level << ", base_level " << base_level;
    }
  }
}

TEST(ClimbTest, AHighBaseLeavesLessRoom) {
  const std::string rivers = "steepness: 1000 concavity: 0.1 repose_deg: 10";
  EXPECT_EQ(Refusal(RiverSpec(rivers)), "");
  v1::WorldSpec high = RiverSpec(rivers);
  high.mutable_base()->mutable_fbm()->set_offset(15000);
  high.mutable_rules(0)->mutable_detail()->set_roughness(1);
  EXPECT_THAT(Refusal(high), testing::HasSubstr("rivers.steepness: expected a lower one"));
}

TEST(ClimbTest, PresetsStayFarBelowTheLimit) {
  for (const auto& world : WorldLibrary::OfPresets()->worlds()) {
    EXPECT_LT(ClimbM(world->spec()).value(), 10000) << world->spec().name();
  }
}

}  // namespace
}  // namespace thalweg::world
