// What an author is told about a specification.
#include "server/world/world_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace thalweg::world {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

WorldCheck CheckOf(const std::string& text) { return CheckWorldText(text, nullptr); }

constexpr char kBase[] = R"("base": {"fbm": {"wavelength_m": 20000}})";
constexpr char kRules[] = R"("rules": [{"stages": [{"thermal": {}}]}])";

// A mistake, and everything that its author is told.
struct Mistake {
  std::string text;
  std::string error;
};

std::string With(const std::string& fields) {
  return "{\"name\": \"w\",\n " + fields + ",\n " + kBase + ", " + kRules + "}";
}

TEST(WorldCheckTest, NamesThePlaceAndWhatWouldBeRight) {
  const std::string begin = std::string("{\"name\": \"w\", ") + kBase + ",\n";
  const std::vector<Mistake> mistakes = {
      {With(R"("sea_level": 0)"),
       "line 2, column 2: WorldSpec has no field 'sea_level'; did you mean 'sea_level_m'?"},
      {begin + R"("rules": [{"stages": [{"rivers": {"erodability": 1}}]}]})",
       "line 2, column 35: rules[0].stages[0].rivers: Rivers has no field 'erodability'; it has "
       "steepness, concavity, repose_deg, steps, fills, drainage, keep, displacement, wander, "
       "slides, path, channel_area_m2, crest_m, creep, floor_width, trough"},
      {begin + R"("rules": [{"stages": [{"erosion": {}}]}]})",
       "line 2, column 24: rules[0].stages[0]: Stage has no field 'erosion'; it has droplet, "
       "thermal, rebound, pools, fluvial, snowball, raindrop, shore, blur, hydrology, vegetation, "
       "collision, silt, rivers, ground"},
      {With(R"("steepness": 2)"),
       "line 2, column 15: steepness: expected an object in braces, such as {\"constant\": 2}, got "
       "2"},
      {With(R"("levels": 99)"), "line 2, column 2: invalid levels: expected 1 to 21, got 99"},
      {With(R"("seed": -1)"), "line 2, column 10: seed: expected a whole number from 0, got -1"},
      {With(R"("levels": "many")"),
       "line 2, column 12: levels: expected a whole number from 0 to 4294967295, got 'many'"},
      {With(R"("sphere": {})"),
       "line 2, column 2: sphere.radius_m is missing: expected 1000 to 100000000"},
      {With(R"("showplace": {"latitude_deg": 5})"),
       "line 2, column 16: showplace.latitude_deg 5 is given, but the world is a plane (use east_m "
       "and south_m)"},
      {"{\"name\": \"w\",\n \"base\": {\"constant\": 1,\n  \"fbm\": {\"wavelength_m\": 4}}, " +
           std::string(kRules) + "}",
       "line 3, column 3: base: expected one kind of Node, got 'constant' and 'fbm'"},
      {"{\"name\": \"w\",\n \"base\": {\"curve\": {\"source\": {\"constant\": 1},\n \"points\": "
       "[{\"in\": 1},\n {\"in\": 0}]}}, " +
           std::string(kRules) + "}",
       "line 4, column 3: invalid base.curve.points[1].in: expected min 1.0001, since "
       "points must rise, got 0"},
      {"{\"name\": \"w\",\n \"base\": {\"along\": {\"points\": [{}, {\"latitude_deg\": 5}],\n "
       "\"width_m\": 3}}, " +
           std::string(kRules) + "}",
       "line 2, column 36: latitude_deg or longitude_deg of base.along.points[1] is given, but the "
       "world is a plane (use east_m and south_m)"},
      {"{\"base\": {\"constant\": 1}, \"rules\": [{}]}",
       "invalid name: expected 1 to 64 lower-case letters, digits and hyphens, got ''"},
      {"{\"name\": \"w\", " + std::string(kBase) + "}",
       "invalid rules: expected 1 to 32 items, got 0"},
      {"{\"name\": \"w\",,}", "line 1, column 14: expected a field in quotes, got ','"},
      {"[1, 2]", "line 1, column 1: expected an object in braces, got '['"},
      {" \n", "the specification is empty"},
      {"{\"name\": \"w\"", "line 1, column 13: expected ',' or '}', got the end"},
      {"name: \"w\" sea_level: 4",
       "invalid text: line 1, column 11: WorldSpec has no field 'sea_level'; did you mean "
       "'sea_level_m'?"},
  };
  for (const Mistake& mistake : mistakes) {
    const WorldCheck check = CheckOf(mistake.text);
    EXPECT_THAT(check.errors, ElementsAre(mistake.error)) << mistake.text;
    EXPECT_EQ(check.world, nullptr);
  }
}

TEST(WorldCheckTest, FindsAllMistakesAtOnce) {
  const WorldCheck check = CheckOf(R"({"name": "My World", "levels": 99,
    "sea_level": 0, "base": {"fbm": {"octaves": 40}},
    "rules": [{"stages": [{"thermal": {"talus_deg": 99, "angle": 3}}, {}]}]})");
  EXPECT_THAT(
      check.errors,
      ElementsAre(
          "line 2, column 5: WorldSpec has no field 'sea_level'; did you mean 'sea_level_m'?",
          "line 3, column 57: rules[0].stages[0].thermal: Thermal has no field 'angle'; it has "
          "iterations, talus_deg, rate",
          "line 1, column 2: invalid name: expected 1 to 64 lower-case letters, digits and "
          "hyphens, "
          "got 'My World'",
          "line 1, column 22: invalid levels: expected 1 to 21, got 99",
          "line 2, column 30: base.fbm.wavelength_m is missing: expected 2 to 100000000",
          "line 2, column 38: invalid base.fbm.octaves: expected 1 to 16, got 40",
          "line 3, column 40: invalid rules[0].stages[0].thermal.talus_deg: expected 1 to 80, got "
          "99",
          "line 3, column 71: rules[0].stages[1] is missing: expected one of droplet, thermal, "
          "rebound, pools, fluvial, snowball, raindrop, shore, blur, hydrology, vegetation, "
          "collision, silt, rivers, ground"));
}

TEST(WorldCheckTest, JsonMayHaveComments) {
  const WorldCheck check =
      CheckOf(std::string("// A small world.\n{\"name\": \"w\", /* \"no\": 1, */\n") + kBase +
              ", // 20 km\n\"description\": \"http://x /* y */\", " + kRules + "}");
  EXPECT_THAT(check.errors, IsEmpty());
  ASSERT_NE(check.world, nullptr);
  EXPECT_EQ(check.world->spec().description(), "http://x /* y */");
  EXPECT_THAT(CheckOf("{\"name\": \"w\" /* no end").errors, testing::SizeIs(1));
}

TEST(WorldCheckTest, AnUnusedNodeIsAWarning) {
  const auto text = [](const std::string& more) {
    return "{\"name\": \"w\",\n \"nodes\": [{\"name\": \"a\", \"node\": {\"constant\": 1}}," +
           more + "\n  {\"name\": \"b\", \"node\": {\"use\": \"a\"}}], " + kBase + ", " + kRules +
           "}";
  };
  const WorldCheck check = CheckOf(text(""));
  EXPECT_THAT(check.errors, IsEmpty());
  // Also what only unused nodes use.
  EXPECT_THAT(check.warnings, ElementsAre("line 2, column 12: nodes[0]: nothing uses the node 'a'",
                                          "line 3, column 3: nodes[1]: nothing uses the node 'b'"));
  // They decide nothing.
  const WorldCheck more = CheckOf(text("{\"name\": \"c\", \"node\": {\"constant\": 7}},"));
  const WorldCheck none = CheckOf(std::string("{\"name\": \"w\", ") + kBase + ", " + kRules + "}");
  ASSERT_TRUE(check.world && more.world && none.world);
  EXPECT_EQ(check.world->hex_id(), none.world->hex_id());
  EXPECT_EQ(more.world->hex_id(), none.world->hex_id());
  EXPECT_THAT(none.warnings, IsEmpty());
}

TEST(WorldCheckTest, TheWorldsOfTheGuideAreRight) {
  const std::filesystem::path folder =
      std::filesystem::path(THALWEG_SOURCE_DIR) / "server/world/guide";
  int worlds = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const auto text = ReadWorldText(entry.path());
    ASSERT_TRUE(text.ok()) << text.status();
    const WorldCheck check = CheckOf(*text);
    EXPECT_THAT(check.errors, IsEmpty()) << entry.path();
    EXPECT_THAT(check.warnings, IsEmpty()) << entry.path();
    ++worlds;
  }
  EXPECT_GT(worlds, 8);
}

}  // namespace
}  // namespace thalweg::world
