// Every way in which a specification can be wrong, and its error message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "proto/base/message_text.h"
#include "proto/base/world_text.h"
#include "server/world/world.h"
#include "tests/world/spec_fixtures.h"

namespace thalweg::world {
namespace {

struct BadSpec {
  std::string name;
  std::string text;     // merged into SmallSpec
  std::string message;  // what follows "world 'alps': "
};

void PrintTo(const BadSpec& spec, std::ostream* out) { *out << spec.text; }

std::string Repeated(int count, const std::string& before, const std::string& after,
                     const std::string& middle) {
  std::string text = middle;
  for (int i = 0; i < count; ++i) text = absl::StrCat(before, text, after);
  return text;
}

// The text of a base of so many sums in each other, with a number within.
std::string NestedSums(int sums) {
  return "base { " + Repeated(sums, "sum { nodes { ", " } }", "constant: 1") + " }";
}

class BadSpecTest : public testing::TestWithParam<BadSpec> {};

TEST_P(BadSpecTest, IsRefusedWithThePathOfTheField) {
  const auto world = World::Create(SmallSpecWith(GetParam().text));
  ASSERT_FALSE(world.ok());
  EXPECT_EQ(world.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(std::string(world.status().message()), "world 'alps': " + GetParam().message);
}

// The message names every kind. The test checks only the first ones, so new kinds do not change it.
TEST(BadStageTest, AStageNeedsAKind) {
  const auto world = World::Create(SmallSpecWith("rules { stages {} }"));
  EXPECT_EQ(world.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(
      std::string(world.status().message())
          .starts_with("world 'alps': rules[1].stages[0] is missing: expected one of droplet, "
                       "thermal, rebound, "))
      << world.status();
}

// The twin: the specification that they are all merged into is valid.
TEST(BadSpecTwinTest, TheUnchangedSpecificationIsValid) {
  EXPECT_TRUE(World::Create(SmallSpec()).ok());
}

// Many places of a line, in text form.
std::string Places(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) absl::StrAppend(&text, "points { east_m: ", i, " } ");
  return text;
}

const BadSpec kBadPlaces[] = {
    {"NoRadius", "base { radial { center { east_m: 5 } } }",
     "base.radial.radius_m is missing: expected 1 to 100000000"},
    {"RadiusOfZero", "base { radial { radius_m: 0 } }",
     "invalid base.radial.radius_m: expected 1 to 100000000, got 0"},
    {"BeyondTheWorld", "base { radial { center { east_m: 2e8 } radius_m: 5 } }",
     "invalid base.radial.center.east_m: expected -100000000 to 100000000, got 200000000"},
    {"LatitudeOnAPlane", "base { radial { center { latitude_deg: 5 } radius_m: 5 } }",
     "latitude_deg or longitude_deg of base.radial.center is given, but the world is a plane (use "
     "east_m and south_m)"},
    {"MetresOnASphere",
     "sphere { radius_m: 1e6 } base { along { points { latitude_deg: 5 } points { south_m: 4 } "
     "width_m: 5 } }",
     "east_m or south_m of base.along.points[1] is given, but the world is a sphere (use "
     "latitude_deg and longitude_deg)"},
    {"NoLine", "base { along { points { east_m: 5 } width_m: 5 } }",
     "invalid base.along.points: expected 2 to 128 items, got 1"},
    {"TheSamePlaceTwice", "base { along { points { east_m: 5 } points { east_m: 5 } width_m: 5 } }",
     "invalid base.along.points[1]: expected a place other than that of the point before it, got "
     "the same place"},
    {"ClosedTwice",
     "base { inside { points { } points { east_m: 5 } points { south_m: 5 } points { } edge_m: 5 } "
     "}",
     "invalid base.inside.points[0]: expected a place other than that of the point before it, the "
     "last one, got the same place"},
    {"CrossesItself",
     "nodes { name: \"isle\" node { inside { points { } points { east_m: 9 south_m: 9 } points { "
     "east_m: 9 } points { south_m: 9 } edge_m: 5 } } } base { use: \"isle\" }",
     "nodes[0].node.inside.points: the edges from points[0] and points[2] cross or touch each "
     "other"},
    {"TooWideForASphere",
     "sphere { radius_m: 1e6 } base { along { points { longitude_deg: -80 } points { "
     "longitude_deg: 80 } width_m: 5 } }",
     "base.along.points[0] is more than 60 degrees from the middle of all points: use several "
     "nodes that are smaller"},
    {"AroundTheSphere",
     "sphere { radius_m: 1e6 } base { along { points { longitude_deg: -90 } points { "
     "longitude_deg: 90 } width_m: 5 } }",
     "base.along.points[1] is more than 60 degrees from the middle of all points: use several "
     "nodes that are smaller"},
    {"OnePointOfAProfile", "base { radial { radius_m: 5 profile { in: 1 } } }",
     "invalid base.radial.profile: expected no points or 2 to 16, got 1"},
    {"ProfileFalls", "base { radial { radius_m: 5 profile { in: 1 } profile { in: 1 } } }",
     "invalid base.radial.profile[1].in: expected min 1.0001, since points must rise, got 1"},
    {"DistanceBelowZero", "base { radial { radius_m: 5 profile { in: -1 } profile { in: 1 } } }",
     "invalid base.radial.profile[0].in: expected 0 or more, a distance, got -1"},
    {"ProfileReachesTooFar",
     "base { radial { radius_m: 1e6 profile { in: 0 } profile { in: 101 } } }",
     "invalid base.radial.profile[1].in: expected max 100, since radius_m is 1000000 and distances "
     "are max 100000000 m, got 101"},
    {"ProfileReachesAroundTheSphere",
     "sphere { radius_m: 1e6 } base { inside { points { } points { latitude_deg: 5 } points { "
     "longitude_deg: 5 } edge_m: 1000 profile { in: -2828 } profile { in: 1 } } }",
     "invalid base.inside.profile[0].in: expected max 2827, since edge_m is 1000 and distances are "
     "max 2827433 m, got -2828"},
};

const BadSpec kBadSpecs[] = {
    {"InertiaOverRange", "rules { stages { droplet { inertia: 1.5 } } }",
     "invalid rules[1].stages[0].droplet.inertia: expected 0 to 0.99, got 1.5"},
    {"InertiaJustOverRange", "rules { stages { droplet { inertia: 0.990000001 } } }",
     "invalid rules[1].stages[0].droplet.inertia: expected 0 to 0.99, got 0.990000001"},
    {"CapacityUnderRange", "rules { stages { droplet { capacity: -1 } } }",
     "invalid rules[1].stages[0].droplet.capacity: expected 0 to 16, got -1"},
    {"CapacityNan", "rules { stages { droplet { capacity: nan } } }",
     "invalid rules[1].stages[0].droplet.capacity: expected 0 to 16, got nan"},
    {"OffsetInfinite", "base { fbm { offset: -inf } }",
     "invalid base.fbm.offset: expected -16000 to 16000, got -inf"},
    {"NoSteps", "rules { stages { droplet { steps: 0 } } }",
     "invalid rules[1].stages[0].droplet.steps: expected 1 to 48, got 0"},
    {"TooManySteps", "rules { stages { thermal {} } stages { droplet { steps: 49 } } }",
     "invalid rules[1].stages[1].droplet.steps: expected 1 to 48, got 49"},
    {"TalusFlat", "rules { stages { thermal { talus_deg: 0 } } }",
     "invalid rules[1].stages[0].thermal.talus_deg: expected 1 to 80, got 0"},
    {"RadiusOverRange", "rules { stages { rebound { radius: 17 } } }",
     "invalid rules[1].stages[0].rebound.radius: expected 2 to 16, got 17"},
    {"RadiusNoPowerOfTwo", "rules { stages { rebound { radius: 6 } } }",
     "invalid rules[1].stages[0].rebound.radius: expected a power of two, got 6"},
    {"SnowballRadiusOverRange", "rules { stages { snowball { radius: 3.5 } } }",
     "invalid rules[1].stages[0].snowball.radius: expected 0 to 3, got 3.5"},
    {"GroundNotAlone", "levels: 8 rules { from_level: 1 stages { ground {} } stages { blur {} } }",
     "invalid rules[1].stages: expected `ground` as the only stage of its rule, got 2 stages"},
    {"BedsThatTurnOver", "rules { from_level: 1 stages { ground { beds { step: 1 } } } }",
     "invalid rules[1].stages[0].ground.beds.step: expected 0 to 0.9, got 1"},
    {"WindOverRange", "rules { stages { raindrop { wind: 2 } } }",
     "invalid rules[1].stages[0].raindrop.wind: expected 0 to 1, got 2"},
    {"TooManyBlurs", "rules { stages { blur { iterations: 9 } } }",
     "invalid rules[1].stages[0].blur.iterations: expected 1 to 8, got 9"},
    {"RiversConcavityOverRange", "rules { stages { rivers { concavity: 1 } } }",
     "invalid rules[1].stages[0].rivers.concavity: expected 0.1 to 0.9, got 1"},
    {"RiversStepsNoPowerOfTwo", "rules { stages { rivers { steps: 12 } } }",
     "invalid rules[1].stages[0].rivers.steps: expected a power of two, got 12"},
    {"TroughOverRange", "rules { stages { rivers { trough: 1.5 } } }",
     "invalid rules[1].stages[0].rivers.trough: expected 0 to 1, got 1.5"},
    {"SteepnessWithoutRivers", "steepness { constant: 2 }",
     "steepness is given, but no rule has a stage 'rivers'"},
    {"SteepnessOfUnknownNode", "rules { stages { rivers {} } } steepness { use: 'rock' }",
     "invalid steepness.use: expected the name of a node of 'nodes' before this one, got 'rock'"},
    {"SteepnessMissing", "rules { stages { rivers {} } } steepness { sum { nodes {} } }",
     "steepness.sum.nodes[0] is missing: expected one of constant, fbm, ridged, billow, warp, "
     "blend, curve, sum, product, min, max, use, plates, craters, latitude, radial, along, inside, "
     "gradient"},
    {"BaseLevelBesideASea", "sea_level_m: 3 base_level_m: 2",
     "base_level_m 2 is given, but the world has a sea_level_m"},
    {"TooWarm", "climate { temperature_c: 41 }",
     "invalid climate.temperature_c: expected -60 to 40, got 41"},
    {"HeightCurveOfOnePoint", "height_curve { points { in: 1 out: 2 } }",
     "invalid height_curve.points: expected 2 to 32 items, got 1"},
    {"HeightCurveBackwards", "height_curve { points { in: 5 out: 0 } points { in: 5 out: 9 } }",
     "invalid height_curve.points[1].in: expected more than 5, that of the point before, got 5"},
    {"HeightCurveTooFlat", "height_curve { points {} points { in: 100 out: 1 } }",
     "invalid height_curve.points[1].out: expected a rise from the point before of 1/64 to 64 "
     "times that of 'in', got 1, 0.01 times"},
    {"HeightCurveFalls", "height_curve { points {} points { in: 100 out: -50 } }",
     "invalid height_curve.points[1].out: expected a rise from the point before of 1/64 to 64 "
     "times that of 'in', got -50, -0.5 times"},
    {"HeightCurveTooFar", "height_curve { points { in: 0 out: 8001 } points { in: 1 out: 8002 } }",
     "invalid height_curve.points[0].out: expected max 8000 above or below 'in', got 8001"},
    {"HeightCurveMovesTheSea",
     "sea_level_m: 3 height_curve { points { in: 0 out: 0 } points { in: 10 out: 20 } }",
     "height_curve moves the sea level: add a point with 'in' and 'out' 3"},
    {"TooManyStages",
     "rules { stages { thermal {} } stages { thermal {} } stages { thermal {} } "
     "stages { thermal {} } stages { thermal {} } stages { thermal {} } stages { thermal {} } "
     "stages { thermal {} } stages { thermal {} } }",
     "invalid rules[1].stages: expected 0 to 8 items, got 9"},
    {"RuleBackwards", "rules { from_level: 5 to_level: 4 }",
     "invalid rules[1].from_level: expected max 4, the rule's to_level, got 5"},
    {"RuleOverRange", "rules { from_level: 21 }",
     "invalid rules[1].from_level: expected 0 to 20, got 21"},
    {"RoughnessOverRange", "rules { detail { roughness: 2 } }",
     "invalid rules[1].detail.roughness: expected 0 to 1, got 2"},
    {"NoLevels", "levels: 0", "invalid levels: expected 1 to 21, got 0"},
    {"CellsTooFine", "levels: 19 cell_size_m: 256",
     "invalid levels: expected 1 to 18, since level 0's cell is 256 m and the last one's is min "
     "1/512 m, got 19"},
    {"CellSizeOverRange", "cell_size_m: 4097", "invalid cell_size_m: expected 1 to 4096, got 4097"},
    {"SeaTooHigh", "sea_level_m: 16001",
     "invalid sea_level_m: expected -16000 to 16000, got 16001"},
    {"ConstantNan", "base { constant: nan }",
     "invalid base.constant: expected -16000 to 16000, got nan"},
    {"WavelengthMissing", "base { ridged {} }",
     "base.ridged.wavelength_m is missing: expected 2 to 100000000"},
    {"OctavesOverRange", "base { billow { wavelength_m: 9 octaves: 17 } }",
     "invalid base.billow.octaves: expected 1 to 16, got 17"},
    {"SaltOverRange", "base { fbm { salt: 65536 } }",
     "invalid base.fbm.salt: expected 0 to 65535, got 65536"},
    {"WarpWithoutSource", "base { warp { displacement { wavelength_m: 9 } } }",
     "base.warp.source is missing: expected one of constant, fbm, ridged, billow, warp, blend, "
     "curve, sum, product, min, max, use, plates, craters, latitude, radial, along, inside, "
     "gradient"},
    {"WarpWithoutDisplacement", "base { warp { source { constant: 1 } } }",
     "base.warp.displacement.wavelength_m is missing: expected 2 to 100000000"},
    {"BlendWithoutMask", "base { blend { low { constant: 1 } high { constant: 2 } } }",
     "base.blend.mask is missing: expected one of constant, fbm, ridged, billow, warp, blend, "
     "curve, sum, product, min, max, use, plates, craters, latitude, radial, along, inside, "
     "gradient"},
    {"EmptySum", "base { sum {} }", "invalid base.sum.nodes: expected 1 to 8 items, got 0"},
    {"MissingInSum", "base { sum { nodes { constant: 1 } nodes {} } }",
     "base.sum.nodes[1] is missing: expected one of constant, fbm, ridged, billow, warp, blend, "
     "curve, sum, product, min, max, use, plates, craters, latitude, radial, along, inside, "
     "gradient"},
    {"OnePointCurve", "base { curve { source { constant: 1 } points {} } }",
     "invalid base.curve.points: expected 2 to 16 items, got 1"},
    {"PointOverRange",
     "base { curve { source { constant: 1 } points { in: 1 out: 1e5 } points {} } }",
     "invalid base.curve.points[0].out: expected -16000 to 16000, got 100000"},
    {"CurveBackwards",
     "base { max { nodes { curve { source { constant: 1 } points { in: 2 } points { in: 1 } } } } "
     "}",
     "invalid base.max.nodes[0].curve.points[1].in: expected min 2.0001, since points must rise, "
     "got 1"},
    {"CurveStandsStill",
     "base { curve { source { constant: 1 } points { in: 2 } points { in: 3 } points { in: 3 } } }",
     "invalid base.curve.points[2].in: expected min 3.0001, since points must rise, got 3"},
    {"StackTooDeep",
     "base { " + Repeated(12, "sum { nodes { constant: 1 } nodes { ", " } }", "constant: 2") + " }",
     "invalid base.sum.nodes[1].sum.nodes[1].sum.nodes[1].sum.nodes[1].sum.nodes[1].sum.nodes[1]"
     ".sum.nodes[1].sum.nodes[1].sum.nodes[1].sum.nodes[1].sum.nodes[1].sum.nodes[1]: expected "
     "max 12 values at a time, got 13 (put the deepest node first)"},
    {"WarpsTooDeep",
     "base { " +
         Repeated(4, "warp { displacement { wavelength_m: 9000 } source { ", " } }",
                  "constant: 2") +
         " }",
     "invalid base.warp.source.warp.source.warp.source.warp: expected max 2 warps around a warp, "
     "got 3"},
    {"ProductTooLarge",
     "base { product { nodes { constant: 16000 } nodes { constant: 16000 } nodes { constant: 16000 "
     "} "
     "nodes { constant: 16000 } nodes { constant: 16000 } nodes { constant: 16000 } "
     "nodes { constant: 16000 } nodes { constant: 16000 } } }",
     "invalid base: expected values of max 1e+30, got up to 4.294967296e+33"},
};

std::vector<BadSpec> BadSpecs() {
  std::vector<BadSpec> specs(std::begin(kBadSpecs), std::end(kBadSpecs));
  specs.insert(specs.end(), std::begin(kBadPlaces), std::end(kBadPlaces));
  specs.push_back({"TenThousandCorners", "base { inside { " + Places(10'000) + "edge_m: 5 } }",
                   "invalid base.inside.points: expected 3 to 128 items, got 10000"});
  // All nodes differ, since equal nodes are computed only once.
  std::string long_sum;
  for (int i = 0; i < 8; ++i) {
    absl::StrAppend(&long_sum, "nodes { along { ", Places(128), "width_m: ", i + 1, " } } ");
  }
  // A sum of one node costs nothing, so only the rule of depth refuses it.
  specs.push_back({"NodesTooDeep", NestedSums(16),
                   "base" + Repeated(16, ".sum.nodes[0]", "", "") +
                       ": the world nests more than 16 nodes deep"});
  specs.push_back({"ProgramTooLong", "base { sum { " + long_sum + " } }",
                   "base.sum.nodes[7].along: the world has more than 1024 instructions up to here "
                   "(each octave and each corner is one)"});
  return specs;
}

INSTANTIATE_TEST_SUITE_P(All, BadSpecTest, testing::ValuesIn(BadSpecs()),
                         [](const auto& spec) { return spec.param.name; });

TEST(NodeDepthTest, AllowsDepthsThatCanBePrintedAndRead) {
  const auto world = World::Create(SmallSpecWith(NestedSums(15)));
  ASSERT_TRUE(world.ok()) << world.status();
  const auto json = text::ToJson((*world)->spec());
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_TRUE(text::WorldFromJson(*json).ok());
}

// Each of these ended the process once, when something printed the specification.
TEST(NodeDepthTest, RefusesDeeperNodesWithoutCrashing) {
  for (const int sums : {16, 32, 49, 200, 2000}) {
    const v1::WorldSpec deep = SmallSpecWith(NestedSums(sums));
    EXPECT_EQ(World::Create(deep).status().code(), absl::StatusCode::kInvalidArgument) << sums;
    EXPECT_EQ(text::WorldFromText(NestedSums(sums)).status().code(),
              absl::StatusCode::kInvalidArgument)
        << sums;
    const std::string json = R"({"base": )" +
                             Repeated(sums, R"({"sum": {"nodes": [)", "]}}", R"({"constant": 1})") +
                             "}";
    EXPECT_EQ(text::WorldFromJson(json).status().code(), absl::StatusCode::kInvalidArgument)
        << sums;
  }
}

TEST(NodeDepthTest, PrintingADeepSpecificationIsAnError) {
  EXPECT_EQ(text::ToJson(SmallSpecWith(NestedSums(200))).status().code(),
            absl::StatusCode::kInternal);
}

TEST(BadNameTest, IsRefused) {
  for (const std::string& name :
       {std::string(), std::string("Alps"), std::string("a b"), std::string("a@1"),
        std::string("a/b"), std::string("\xc3\xa4"), std::string(65, 'a')}) {
    v1::WorldSpec spec = SmallSpec();
    spec.set_name(name);
    const auto world = World::Create(spec);
    ASSERT_FALSE(world.ok()) << name;
    EXPECT_NE(world.status().message().find("invalid name: expected 1 to 64 lower-case letters"),
              std::string::npos)
        << world.status();
    EXPECT_NE(world.status().message().find("digits and hyphens, got '"), std::string::npos);
  }
}

TEST(BadDescriptionTest, IsRefused) {
  v1::WorldSpec spec = SmallSpec();
  spec.set_description(std::string(4096, 'd'));
  EXPECT_TRUE(World::Create(spec).ok());
  spec.set_description(std::string(4097, 'd'));
  EXPECT_EQ(std::string(World::Create(spec).status().message()),
            "world 'alps': invalid description: expected max 4096 bytes, got 4097");
  // A terminal would obey these control characters. The last one is CSI as a single character.
  for (const char* text : {"a\nb", "\x1b[2J", "\x7f", "\xc2\x9b"}) {
    spec.set_description(text);
    EXPECT_EQ(std::string(World::Create(spec).status().message()),
              absl::StrCat("world 'alps': invalid description: expected one line without control "
                           "characters, got '",
                           absl::CHexEscape(text), "'"));
  }
  for (const char* text : {"", "Hügel, 20° – 30°", "\xc2\xa0", "\xe2\x9b\xb0"}) {
    spec.set_description(text);
    EXPECT_TRUE(World::Create(spec).ok()) << text;
  }
}

// The whole is too large, although each field is within its range.
TEST(BadSizeTest, IsRefused) {
  v1::WorldSpec spec = SmallSpec();
  v1::Node node;
  node.set_constant(1);
  for (int depth = 0; depth < 5; ++depth) {
    v1::Node sum;
    for (int k = 0; k < 8; ++k) *sum.mutable_sum()->add_nodes() = node;
    node = sum;
  }
  *spec.mutable_base() = node;
  const std::string message(World::Create(spec).status().message());
  EXPECT_NE(
      message.find("invalid specification: expected max 131072 bytes with its defaults, got "),
      std::string::npos)
      << message;
}

TEST(BadRulesTest, AreRefused) {
  v1::WorldSpec spec = SmallSpec();
  spec.clear_rules();
  EXPECT_EQ(std::string(World::Create(spec).status().message()),
            "world 'alps': invalid rules: expected 1 to 32 items, got 0");
  spec.add_rules()->set_to_level(1);
  EXPECT_EQ(std::string(World::Create(spec).status().message()),
            "world 'alps': rules has no rule for level 2: expected one for each of the levels 0 to "
            "2");
}

TEST(BadRulesTest, AShoreNeedsWater) {
  v1::WorldSpec spec = SmallSpec();
  spec.mutable_rules(0)->mutable_stages(1)->mutable_shore();
  EXPECT_EQ(std::string(World::Create(spec).status().message()),
            "world 'alps': rules[0].stages[1] reads the layer water, which nothing has written: it "
            "needs a stage 'pools' before it at level 0 or a coarser one, or a sea_level_m");
  spec.set_sea_level_m(0);
  EXPECT_TRUE(World::Create(spec).ok());
}

TEST(BadRulesTest, HydrologyNeedsWaterAndPlants) {
  v1::WorldSpec spec = SmallSpec();
  v1::LevelRule& rule = *spec.mutable_rules(0);
  v1::Hydrology& hydrology = *rule.add_stages()->mutable_hydrology();
  EXPECT_EQ(std::string(World::Create(spec).status().message()),
            "world 'alps': rules[0].stages[3] reads the layer water, which nothing has written: it "
            "needs a stage 'pools' before it at level 0 or a coarser one, or a sea_level_m");
  spec.set_sea_level_m(0);
  EXPECT_TRUE(World::Create(spec).ok());
  hydrology.set_plant_hold(0.5);
  EXPECT_EQ(std::string(World::Create(spec).status().message()),
            "world 'alps': rules[0].stages[3] reads the layer vegetation, which nothing has "
            "written: it needs a stage 'vegetation' before it at level 0 or a coarser one");
  rule.mutable_stages(1)->mutable_vegetation();
  EXPECT_TRUE(World::Create(spec).ok());
  hydrology.set_plant_hold(0);
  spec.clear_sea_level_m();
  rule.mutable_stages(0)->mutable_pools();
  EXPECT_TRUE(World::Create(spec).ok());
}

TEST(BadRulesTest, MayNotReachTooFar) {
  v1::WorldSpec spec = SmallSpec();
  spec.mutable_rules(0)->set_to_level(0);
  v1::LevelRule& rule = *spec.add_rules();
  rule.add_stages()->mutable_droplet()->set_steps(48);
  rule.add_stages()->mutable_thermal()->set_iterations(32);
  rule.add_stages()->mutable_thermal()->set_iterations(16);
  EXPECT_EQ(
      std::string(World::Create(spec).status().message()),
      "world 'alps': invalid rules[1].stages[0].droplet.steps: expected max 47, since the stages "
      "of level 1 reach 193 cells together, and may reach 192, got 48");
  rule.mutable_stages(0)->mutable_droplet()->set_steps(47);
  EXPECT_TRUE(World::Create(spec).ok());
  // No single number would do.
  for (int i = 0; i < 3; ++i) rule.add_stages()->mutable_droplet()->set_steps(48);
  EXPECT_THAT(std::string(World::Create(spec).status().message()),
              testing::HasSubstr("invalid rules[1].stages[3].droplet.steps: expected a lower one, "
                                 "since the stages of level 1 reach "));
}

TEST(BadSpecFieldsTest, UnknownFieldsAreRefused) {
  v1::WorldSpec spec = SmallSpec();
  v1::Droplet& droplet = *spec.mutable_rules(0)->mutable_stages(0)->mutable_droplet();
  v1::Droplet::GetReflection()->MutableUnknownFields(&droplet)->AddVarint(99, 1);
  EXPECT_EQ(std::string(World::Create(spec).status().message()),
            "world 'alps': rules[0].stages[0].droplet has field number 99, which this version does "
            "not know");
}

TEST(SpecTextTest, JsonErrorsNameUnknownFields) {
  const auto spec =
      text::WorldFromJson(R"({"name": "alps", "rules": [{"stages": [{"dropplet": {}}]}]})");
  ASSERT_EQ(spec.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(spec.status().message().find("dropplet"), std::string::npos) << spec.status();
  EXPECT_NE(spec.status().message().find("rules[0].stages[0]"), std::string::npos) << spec.status();
}

// Hydrology's droplets used to be fields of hydrology itself.
TEST(SpecTextTest, ErrorsSayHowToReplaceOldFields) {
  for (const std::string name : {"steps", "evaporation", "density", "max_inherited_water"}) {
    const auto json = text::WorldFromJson(
        absl::StrCat(R"({"rules": [{"stages": [{"hydrology": {")", name, R"(": 3}}]}]})"));
    const auto written =
        text::WorldFromText(absl::StrCat("rules { stages { hydrology { ", name, ": 3 } } }"));
    const std::string hint = absl::StrCat("; write it within 'rain': hydrology { rain { ", name);
    EXPECT_NE(json.status().message().find(hint), std::string::npos) << json.status();
    EXPECT_NE(written.status().message().find(hint), std::string::npos) << written.status();
  }
  // Other unknown fields get no such hint.
  const auto other = text::WorldFromJson(R"({"rules": [{"stages": [{"hydrology": {"x": 3}}]}]})");
  EXPECT_EQ(other.status().message().find("write it"), std::string::npos) << other.status();
}

TEST(SpecTextTest, BrokenJsonIsRefused) {
  for (const std::string json : {"", "{", "[]", "{\"name\": 3, }", "{\"levels\": -1}",
                                 "{\"levels\": 1.5}", "{\"seed\": 18446744073709551616}"}) {
    EXPECT_EQ(text::WorldFromJson(json).status().code(), absl::StatusCode::kInvalidArgument)
        << json;
  }
}

// Whatever a file contains, reading it gives a world or an error.
TEST(SpecTextTest, SurvivesRandomBytes) {
  constexpr std::uint64_t kSeed = 20261120;
  std::mt19937_64 random(kSeed);
  const std::string whole = *text::ToJson(RandomSpec(7));
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    SCOPED_TRACE(absl::StrCat("seed ", kSeed, " round ", round));
    std::string json = whole;
    for (int i = 0; i < 3; ++i) {
      constexpr char kBytes[] = "{}[]\",:-e0195. nutx\xff";
      json[random() % json.size()] = kBytes[random() % (sizeof(kBytes) - 1)];
    }
    const auto spec = text::WorldFromJson(json);
    const absl::Status status = spec.ok() ? World::Create(*spec).status() : spec.status();
    if (status.ok()) continue;
    ++refused;
    ASSERT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  }
  EXPECT_GT(refused, 1000);
}

TEST(SpecTextTest, TextErrorsNameTheLine) {
  const auto spec = text::WorldFromText("name: 'alps'\nlevel: 3\n");
  ASSERT_EQ(spec.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(spec.status().message().find("line 2, column"), std::string::npos) << spec.status();
  EXPECT_NE(spec.status().message().find("level"), std::string::npos) << spec.status();
}

}  // namespace
}  // namespace thalweg::world
