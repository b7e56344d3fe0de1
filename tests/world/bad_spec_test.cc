// Every way for a specification to be wrong, and the words that say so.
#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "proto/text/message_text.h"
#include "proto/text/world_text.h"
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

class BadSpecTest : public testing::TestWithParam<BadSpec> {};

TEST_P(BadSpecTest, IsRefusedByItsPath) {
  const auto world = World::Create(SmallSpecWith(GetParam().text));
  ASSERT_FALSE(world.ok());
  EXPECT_EQ(world.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(std::string(world.status().message()), "world 'alps': " + GetParam().message);
}

// Every kind is named, but not here: a new one would have to be.
TEST(BadStageTest, AStageHasAKind) {
  const auto world = World::Create(SmallSpecWith("rules { stages {} }"));
  EXPECT_EQ(world.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(
      std::string(world.status().message())
          .starts_with("world 'alps': rules[1].stages[0] is missing: must be one of droplet, "
                       "thermal, rebound, "))
      << world.status();
}

// The twin: what all of them are merged into is a world.
TEST(BadSpecTwinTest, TheSpecificationIsValidBefore) {
  EXPECT_TRUE(World::Create(SmallSpec()).ok());
}

const BadSpec kBadSpecs[] = {
    {"InertiaOverRange", "rules { stages { droplet { inertia: 1.5 } } }",
     "rules[1].stages[0].droplet.inertia is 1.5: must be 0 to 0.99"},
    {"InertiaJustOverRange", "rules { stages { droplet { inertia: 0.990000001 } } }",
     "rules[1].stages[0].droplet.inertia is 0.990000001: must be 0 to 0.99"},
    {"CapacityUnderRange", "rules { stages { droplet { capacity: -1 } } }",
     "rules[1].stages[0].droplet.capacity is -1: must be 0 to 16"},
    {"CapacityNan", "rules { stages { droplet { capacity: nan } } }",
     "rules[1].stages[0].droplet.capacity is nan: must be 0 to 16"},
    {"OffsetInfinite", "base { fbm { offset: -inf } }",
     "base.fbm.offset is -inf: must be -16000 to 16000"},
    {"NoSteps", "rules { stages { droplet { steps: 0 } } }",
     "rules[1].stages[0].droplet.steps is 0: must be 1 to 48"},
    {"TooManySteps", "rules { stages { thermal {} } stages { droplet { steps: 49 } } }",
     "rules[1].stages[1].droplet.steps is 49: must be 1 to 48"},
    {"TalusFlat", "rules { stages { thermal { talus_deg: 0 } } }",
     "rules[1].stages[0].thermal.talus_deg is 0: must be 1 to 80"},
    {"RadiusOverRange", "rules { stages { rebound { radius: 17 } } }",
     "rules[1].stages[0].rebound.radius is 17: must be 2 to 16"},
    {"RadiusNoPowerOfTwo", "rules { stages { rebound { radius: 6 } } }",
     "rules[1].stages[0].rebound.radius is 6: must be a power of two"},
    {"SnowballRadiusOverRange", "rules { stages { snowball { radius: 3.5 } } }",
     "rules[1].stages[0].snowball.radius is 3.5: must be 0 to 3"},
    {"WindOverRange", "rules { stages { raindrop { wind: 2 } } }",
     "rules[1].stages[0].raindrop.wind is 2: must be 0 to 1"},
    {"TooManyBlurs", "rules { stages { blur { iterations: 9 } } }",
     "rules[1].stages[0].blur.iterations is 9: must be 1 to 8"},
    {"RiversConcavityOverRange", "rules { stages { rivers { concavity: 1 } } }",
     "rules[1].stages[0].rivers.concavity is 1: must be 0.1 to 0.9"},
    {"RiversStepsNoPowerOfTwo", "rules { stages { rivers { steps: 12 } } }",
     "rules[1].stages[0].rivers.steps is 12: must be a power of two"},
    {"TroughOverRange", "rules { stages { rivers { trough: 1.5 } } }",
     "rules[1].stages[0].rivers.trough is 1.5: must be 0 to 1"},
    {"SteepnessWithoutRivers", "steepness { constant: 2 }",
     "steepness is given: must be left out, since no rule has a stage 'rivers'"},
    {"SteepnessOfUnknownNode", "rules { stages { rivers {} } } steepness { use: 'rock' }",
     "steepness.use is 'rock': must be the name of a node of 'nodes' that stands before it"},
    {"SteepnessMissing", "rules { stages { rivers {} } } steepness { sum { nodes {} } }",
     "steepness.sum.nodes[0] is missing: must be one of constant, fbm, ridged, billow, warp, "
     "blend, "
     "curve, sum, product, min, max, use, plates, craters, latitude"},
    {"BaseLevelBesideASea", "sea_level_m: 3 base_level_m: 2",
     "base_level_m is 2: must be left out, since the world has a sea_level_m"},
    {"TooWarm", "climate { temperature_c: 41 }", "climate.temperature_c is 41: must be -60 to 40"},
    {"HeightCurveOfOnePoint", "height_curve { points { in: 1 out: 2 } }",
     "height_curve.points has 1 items: must have 2 to 32"},
    {"HeightCurveBackwards", "height_curve { points { in: 5 out: 0 } points { in: 5 out: 9 } }",
     "height_curve.points[1].in is 5: must be over 5, the point's before it"},
    {"HeightCurveTooFlat", "height_curve { points {} points { in: 100 out: 1 } }",
     "height_curve.points[1].out is 1: must be a rise of 1/64 to 64 times that of 'in' over the "
     "point before it, not of 0.01 times"},
    {"HeightCurveFalls", "height_curve { points {} points { in: 100 out: -50 } }",
     "height_curve.points[1].out is -50: must be a rise of 1/64 to 64 times that of 'in' over the "
     "point before it, not of -0.5 times"},
    {"HeightCurveTooFar", "height_curve { points { in: 0 out: 8001 } points { in: 1 out: 8002 } }",
     "height_curve.points[0].out is 8001: must be within 8000 of 'in'"},
    {"HeightCurveMovesTheSea",
     "sea_level_m: 3 height_curve { points { in: 0 out: 0 } points { in: 10 out: 20 } }",
     "height_curve is a curve that moves the height of the sea: must be one that leaves it as it "
     "is (a point with 'in' and 'out' 3 does)"},
    {"TooManyStages",
     "rules { stages { thermal {} } stages { thermal {} } stages { thermal {} } "
     "stages { thermal {} } stages { thermal {} } stages { thermal {} } stages { thermal {} } "
     "stages { thermal {} } stages { thermal {} } }",
     "rules[1].stages has 9 items: must have 0 to 8"},
    {"RuleBackwards", "rules { from_level: 5 to_level: 4 }",
     "rules[1].from_level is 5: must be to_level, 4, or less"},
    {"RuleOverRange", "rules { from_level: 21 }", "rules[1].from_level is 21: must be 0 to 20"},
    {"RoughnessOverRange", "rules { detail { roughness: 2 } }",
     "rules[1].detail.roughness is 2: must be 0 to 1"},
    {"NoLevels", "levels: 0", "levels is 0: must be 1 to 21"},
    {"CellsTooFine", "levels: 19 cell_size_m: 256",
     "levels is 19: must be 1 to 18, since level 0's cell is 256 m and the last one's may not be "
     "under 1/512 m"},
    {"CellSizeOverRange", "cell_size_m: 4097", "cell_size_m is 4097: must be 1 to 4096"},
    {"SeaTooHigh", "sea_level_m: 16001", "sea_level_m is 16001: must be -16000 to 16000"},
    {"ConstantNan", "base { constant: nan }", "base.constant is nan: must be -16000 to 16000"},
    {"WavelengthMissing", "base { ridged {} }",
     "base.ridged.wavelength_m is missing: must be 2 to 100000000"},
    {"OctavesOverRange", "base { billow { wavelength_m: 9 octaves: 17 } }",
     "base.billow.octaves is 17: must be 1 to 16"},
    {"SaltOverRange", "base { fbm { salt: 65536 } }", "base.fbm.salt is 65536: must be 0 to 65535"},
    {"WarpWithoutSource", "base { warp { displacement { wavelength_m: 9 } } }",
     "base.warp.source is missing: must be one of constant, fbm, ridged, billow, warp, blend, "
     "curve, "
     "sum, product, min, max, use, plates, craters, latitude"},
    {"WarpWithoutDisplacement", "base { warp { source { constant: 1 } } }",
     "base.warp.displacement.wavelength_m is missing: must be 2 to 100000000"},
    {"BlendWithoutMask", "base { blend { low { constant: 1 } high { constant: 2 } } }",
     "base.blend.mask is missing: must be one of constant, fbm, ridged, billow, warp, blend, "
     "curve, "
     "sum, product, min, max, use, plates, craters, latitude"},
    {"EmptySum", "base { sum {} }", "base.sum.nodes has 0 items: must have 1 to 8"},
    {"MissingInSum", "base { sum { nodes { constant: 1 } nodes {} } }",
     "base.sum.nodes[1] is missing: must be one of constant, fbm, ridged, billow, warp, blend, "
     "curve, sum, product, min, max, use, plates, craters, latitude"},
    {"OnePointCurve", "base { curve { source { constant: 1 } points {} } }",
     "base.curve.points has 1 items: must have 2 to 16"},
    {"PointOverRange",
     "base { curve { source { constant: 1 } points { in: 1 out: 1e5 } points {} } }",
     "base.curve.points[0].out is 100000: must be -16000 to 16000"},
    {"CurveBackwards",
     "base { max { nodes { curve { source { constant: 1 } points { in: 2 } points { in: 1 } } } } "
     "}",
     "base.max.nodes[0].curve.points[1].in is 1: must be 0.0001 or more over the point before it, "
     "2"},
    {"CurveStandsStill",
     "base { curve { source { constant: 1 } points { in: 2 } points { in: 3 } points { in: 3 } } }",
     "base.curve.points[2].in is 3: must be 0.0001 or more over the point before it, 3"},
    {"StackTooDeep",
     "base { " + Repeated(12, "sum { nodes { constant: 1 } nodes { ", " } }", "constant: 2") + " }",
     "base.sum.nodes[1].sum.nodes[1].sum.nodes[1].sum.nodes[1].sum.nodes[1].sum.nodes[1].sum.nodes["
     "1]"
     ".sum.nodes[1].sum.nodes[1].sum.nodes[1].sum.nodes[1].sum.nodes[1] is value 13 at a time: "
     "must be 12 or less (put the deepest node first)"},
    {"WarpsTooDeep",
     "base { " +
         Repeated(4, "warp { displacement { wavelength_m: 9000 } source { ", " } }",
                  "constant: 2") +
         " }",
     "base.warp.source.warp.source.warp.source.warp is a warp inside 3 others: must be inside 2 or "
     "less"},
    {"ProductTooLarge",
     "base { product { nodes { constant: 16000 } nodes { constant: 16000 } nodes { constant: 16000 "
     "} "
     "nodes { constant: 16000 } nodes { constant: 16000 } nodes { constant: 16000 } "
     "nodes { constant: 16000 } nodes { constant: 16000 } } }",
     "base reaches 4.294967296e+33: must stay under 1e+30"},
};

std::vector<BadSpec> BadSpecs() {
  std::vector<BadSpec> specs(std::begin(kBadSpecs), std::end(kBadSpecs));
  // All differ: what stands twice is computed once.
  std::string long_sum;
  for (int i = 0; i < 8; ++i) {
    absl::StrAppend(&long_sum, "nodes { warp { source { fbm { wavelength_m: 1e8 octaves: 16 } } ",
                    "displacement { wavelength_m: 1e8 octaves: 16 salt: ", i, " } } } ");
  }
  specs.push_back({"ProgramTooLong", "base { sum { " + long_sum + " } }",
                   "base.sum.nodes[4].warp.source.fbm is instruction 256: must be under that (an "
                   "octave is one)"});
  return specs;
}

INSTANTIATE_TEST_SUITE_P(All, BadSpecTest, testing::ValuesIn(BadSpecs()),
                         [](const auto& spec) { return spec.param.name; });

TEST(BadNameTest, IsRefused) {
  for (const std::string& name :
       {std::string(), std::string("Alps"), std::string("a b"), std::string("a@1"),
        std::string("a/b"), std::string("\xc3\xa4"), std::string(65, 'a')}) {
    v1::WorldSpec spec = SmallSpec();
    spec.set_name(name);
    const auto world = World::Create(spec);
    ASSERT_FALSE(world.ok()) << name;
    EXPECT_NE(world.status().message().find("name is '"), std::string::npos) << world.status();
    EXPECT_NE(world.status().message().find("must be 1 to 64 lower-case letters"),
              std::string::npos);
  }
}

TEST(BadDescriptionTest, IsRefused) {
  v1::WorldSpec spec = SmallSpec();
  spec.set_description(std::string(4096, 'd'));
  EXPECT_TRUE(World::Create(spec).ok());
  spec.set_description(std::string(4097, 'd'));
  EXPECT_EQ(std::string(World::Create(spec).status().message()),
            "world 'alps': description is 4097 bytes: must be max 4096 bytes");
  // What a terminal would obey; the last is CSI in one character.
  for (const char* text : {"a\nb", "\x1b[2J", "\x7f", "\xc2\x9b"}) {
    spec.set_description(text);
    EXPECT_EQ(std::string(World::Create(spec).status().message()),
              absl::StrCat("world 'alps': description is '", absl::CHexEscape(text),
                           "': must be one line without control characters"));
  }
  for (const char* text : {"", "Hügel, 20° – 30°", "\xc2\xa0", "\xe2\x9b\xb0"}) {
    spec.set_description(text);
    EXPECT_TRUE(World::Create(spec).ok()) << text;
  }
}

// Each field is within its range.
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
  EXPECT_NE(message.find("the specification is "), std::string::npos) << message;
  EXPECT_NE(message.find("bytes with its defaults: must be max 131072 bytes"), std::string::npos)
      << message;
}

TEST(BadRulesTest, AreRefused) {
  v1::WorldSpec spec = SmallSpec();
  spec.clear_rules();
  EXPECT_EQ(std::string(World::Create(spec).status().message()),
            "world 'alps': rules has 0 items: must have 1 to 32");
  spec.add_rules()->set_to_level(1);
  EXPECT_EQ(std::string(World::Create(spec).status().message()),
            "world 'alps': rules has none for level 2: must have one for each of levels 0 to 2");
}

TEST(BadRulesTest, AShoreNeedsWater) {
  v1::WorldSpec spec = SmallSpec();
  spec.mutable_rules(0)->mutable_stages(1)->mutable_shore();
  EXPECT_EQ(
      std::string(World::Create(spec).status().message()),
      "world 'alps': rules[0].stages[1] reads the water layer at level 0, which no stage wrote: "
      "must come after a stage 'pools', in its level or a coarser one, since the world has no "
      "sea_level_m");
  spec.set_sea_level_m(0);
  EXPECT_TRUE(World::Create(spec).ok());
}

TEST(BadRulesTest, HydrologyNeedsWaterAndPlants) {
  v1::WorldSpec spec = SmallSpec();
  v1::LevelRule& rule = *spec.mutable_rules(0);
  v1::Hydrology& hydrology = *rule.add_stages()->mutable_hydrology();
  EXPECT_EQ(
      std::string(World::Create(spec).status().message()),
      "world 'alps': rules[0].stages[3] reads the water layer at level 0, which no stage wrote: "
      "must come after a stage 'pools', in its level or a coarser one, since the world has no "
      "sea_level_m");
  spec.set_sea_level_m(0);
  EXPECT_TRUE(World::Create(spec).ok());
  hydrology.set_plant_hold(0.5);
  EXPECT_EQ(
      std::string(World::Create(spec).status().message()),
      "world 'alps': rules[0].stages[3] reads the vegetation layer at level 0, which no stage "
      "wrote: must come after a stage 'vegetation', in its level or a coarser one");
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
  EXPECT_EQ(std::string(World::Create(spec).status().message()),
            "world 'alps': rules[1].stages reaches 193 cells: must reach 192 or less");
  rule.mutable_stages(2)->mutable_thermal()->set_iterations(15);
  EXPECT_TRUE(World::Create(spec).ok());
}

TEST(BadSpecFieldsTest, UnknownFieldsAreRefused) {
  v1::WorldSpec spec = SmallSpec();
  v1::Droplet& droplet = *spec.mutable_rules(0)->mutable_stages(0)->mutable_droplet();
  v1::Droplet::GetReflection()->MutableUnknownFields(&droplet)->AddVarint(99, 1);
  EXPECT_EQ(std::string(World::Create(spec).status().message()),
            "world 'alps': field 99 of rules[0].stages[0].droplet is unknown: must be one of this "
            "version's");
}

TEST(SpecTextTest, JsonErrorsNameUnknownFields) {
  const auto spec =
      text::WorldFromJson(R"({"name": "alps", "rules": [{"stages": [{"dropplet": {}}]}]})");
  ASSERT_EQ(spec.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(spec.status().message().find("dropplet"), std::string::npos) << spec.status();
  EXPECT_NE(spec.status().message().find("rules[0].stages[0]"), std::string::npos) << spec.status();
}

// The droplets of hydrology were fields of its own.
TEST(SpecTextTest, OldFormsSayHowToWriteThemNow) {
  for (const std::string name : {"steps", "evaporation", "density", "max_inherited_water"}) {
    const auto json = text::WorldFromJson(
        absl::StrCat(R"({"rules": [{"stages": [{"hydrology": {")", name, R"(": 3}}]}]})"));
    const auto written =
        text::WorldFromText(absl::StrCat("rules { stages { hydrology { ", name, ": 3 } } }"));
    const std::string hint = absl::StrCat("Write it within 'rain': hydrology { rain { ", name);
    EXPECT_NE(json.status().message().find(hint), std::string::npos) << json.status();
    EXPECT_NE(written.status().message().find(hint), std::string::npos) << written.status();
  }
  // Others are none of them.
  const auto other = text::WorldFromJson(R"({"rules": [{"stages": [{"hydrology": {"x": 3}}]}]})");
  EXPECT_EQ(other.status().message().find("rain"), std::string::npos) << other.status();
}

TEST(SpecTextTest, BrokenJsonIsRefused) {
  for (const std::string json : {"", "{", "[]", "{\"name\": 3, }", "{\"levels\": -1}",
                                 "{\"levels\": 1.5}", "{\"seed\": 18446744073709551616}"}) {
    EXPECT_EQ(text::WorldFromJson(json).status().code(), absl::StatusCode::kInvalidArgument)
        << json;
  }
}

// Whatever a file holds, it is a world or an error.
TEST(SpecTextTest, SurvivesBrokenBytes) {
  constexpr std::uint64_t kSeed = 20261120;
  std::mt19937_64 random(kSeed);
  const std::string whole = text::ToJson(RandomSpec(7));
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

TEST(SpecTextTest, TextErrorsNameTheirPlace) {
  const auto spec = text::WorldFromText("name: 'alps'\nlevel: 3\n");
  ASSERT_EQ(spec.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(spec.status().message().find("line 2, column"), std::string::npos) << spec.status();
  EXPECT_NE(spec.status().message().find("level"), std::string::npos) << spec.status();
}

}  // namespace
}  // namespace thalweg::world
