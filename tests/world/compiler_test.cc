// The programs that specifications are compiled to.
#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/stages/noise_lattice.h"
#include "server/world/base_bound.h"
#include "server/world/world.h"
#include "tests/world/base_machine.h"
#include "tests/world/spec_fixtures.h"

namespace thalweg::world {
namespace {

std::shared_ptr<const World> Made(const std::string& text) {
  const auto world = World::Create(SmallSpecWith(text));
  if (!world.ok()) std::abort();
  return *world;
}

TEST(TurnedLatticeTest, MatchesItsWavelengthWithinThreePercent) {
  double wavelength = 2.0;
  for (std::uint32_t i = 0; wavelength < 1e8; ++i, wavelength *= 1.013) {
    for (std::uint32_t turn = 0; turn < 8; ++turn) {
      const kernels::Lattice lattice = stages::TurnedLattice(wavelength, turn, 7);
      const double length = std::hypot(lattice.turn_x, lattice.turn_y);
      const double cells = std::ldexp(1.0 / length, lattice.shift) / 256.0;
      EXPECT_NEAR(cells / wavelength, 1.0, 0.03) << wavelength << " " << turn;
      EXPECT_LE(length, 31.0);
      // A lattice is never parallel to an axis.
      EXPECT_NE(lattice.turn_x, 0);
      EXPECT_NE(lattice.turn_y, 0);
    }
  }
}

TEST(LevelCompilerTest, StagesOfOneLevelHaveTheirOwnRain) {
  const auto world = Made("rules { }");
  v1::WorldSpec spec = world->spec();
  *spec.mutable_rules(0)->add_stages() = spec.rules(0).stages(0);
  const auto twice = World::Create(spec);
  ASSERT_TRUE(twice.ok()) << twice.status();
  EXPECT_EQ(std::get<stages::DropletStage>((*twice)->level(2).stages[0]).params.stream, 32u);
  EXPECT_EQ(std::get<stages::DropletStage>((*twice)->level(2).stages[3]).params.stream, 35u);
}

TEST(LevelCompilerTest, TheShoreIsComputedWithASeaOrLakes) {
  v1::WorldSpec spec = SmallSpecWith("sea_level_m: 2");
  spec.mutable_rules(0)->mutable_stages(0)->mutable_shore();
  auto world = World::Create(spec);
  ASSERT_TRUE(world.ok()) << world.status();
  const LevelProgram& program = (*world)->level(0);
  EXPECT_EQ(std::get<stages::ShoreStage>(program.stages[0]).params.sea_level, 131072);
  EXPECT_TRUE(program.planes.Contains(Layer::kShore));
  EXPECT_FALSE(program.inherited.Contains(Layer::kShore));
  spec.clear_sea_level_m();
  EXPECT_FALSE(World::Create(spec).ok());
  spec.mutable_rules(0)->mutable_stages(1)->mutable_shore();
  spec.mutable_rules(0)->mutable_stages(0)->mutable_pools();
  world = World::Create(spec);
  ASSERT_TRUE(world.ok()) << world.status();
  EXPECT_TRUE((*world)->level(0).planes.Contains(Layer::kWater));
}

TEST(LevelCompilerTest, SteepnessIsASecondValueOfTheBase) {
  const auto without = Made("");
  EXPECT_EQ(RunSteepness(without->level(0), 3, 4), 1.0f);
  v1::WorldSpec spec = SmallSpecWith(
      "steepness { curve { source { fbm { wavelength_m: 9000 } }"
      "  points { in: -0.5 out: 0.5 } points { in: 0.5 out: 3 } } }");
  spec.mutable_rules(0)->mutable_stages(0)->mutable_rivers();
  const auto world = World::Create(spec);
  ASSERT_TRUE(world.ok()) << world.status();
  EXPECT_TRUE((*world)->level(0).inherited.Contains(Layer::kWay));
  EXPECT_FALSE(without->level(0).inherited.Contains(Layer::kWay));
  float least = 100;
  float most = 0;
  for (std::int64_t x = 0; x < 400; ++x) {
    EXPECT_EQ(RunBase((*world)->level(0), x, 7), RunBase(without->level(0), x, 7));
    const float steepness = RunSteepness((*world)->level(0), x, 7);
    least = std::min(least, steepness);
    most = std::max(most, steepness);
  }
  EXPECT_GE(least, 0.5f);
  EXPECT_LE(most, 3.0f);
  EXPECT_GT(most - least, 0.5f);
}

TEST(LevelCompilerTest, DetailHasAWavelengthOfFourCells) {
  const auto world = Made("");
  for (int level = 1; level < world->levels(); ++level) {
    const LevelProgram& program = world->level(level);
    EXPECT_TRUE(program.base().empty());
    EXPECT_EQ(program.detail_lattice.shift, 14);
    EXPECT_NEAR(std::hypot(program.detail_lattice.turn_x, program.detail_lattice.turn_y), 16, 0.5);
    EXPECT_EQ(program.detail_lattice.stream, 1000u + static_cast<std::uint32_t>(level));
    EXPECT_EQ(program.detail.cell, std::ldexp(33554432.0f, -level));
  }
}

TEST(LevelCompilerTest, TheFirstRuleThatNamesALevelApplies) {
  v1::WorldSpec spec = SmallSpec();
  spec.mutable_rules(0)->set_from_level(1);
  spec.mutable_rules(0)->set_to_level(1);
  spec.add_rules()->add_stages()->mutable_thermal()->set_iterations(7);
  const auto world = World::Create(spec);
  ASSERT_TRUE(world.ok()) << world.status();
  EXPECT_EQ((*world)->level(0).HaloCells(), 14);
  EXPECT_EQ((*world)->level(1).HaloCells(), 64);
  EXPECT_EQ((*world)->level(2).HaloCells(), 14);
}

// The ground at a vertex, in metres.
float Ground(const std::string& node, std::int64_t x = 12345, std::int64_t y = -678) {
  v1::WorldSpec spec = SmallSpecWith("base { " + node + " }");
  const auto world = World::Create(spec);
  if (!world.ok()) {
    ADD_FAILURE() << world.status();
    return 0;
  }
  return RunBase((*world)->level(0), x, y);
}

TEST(BaseCompilerTest, Constants) {
  EXPECT_EQ(Ground("constant: 12.5"), 12.5f);
  EXPECT_EQ(Ground("sum { nodes { constant: 1 } nodes { constant: 2 } nodes { constant: 4 } }"), 7);
  EXPECT_EQ(Ground("product { nodes { constant: 3 } nodes { constant: -2 } }"), -6);
  EXPECT_EQ(Ground("min { nodes { constant: 3 } nodes { constant: -2 } }"), -2);
  EXPECT_EQ(Ground("max { nodes { constant: 3 } nodes { constant: -2 } }"), 3);
}

TEST(BaseCompilerTest, Blends) {
  const auto blend = [](double mask) {
    return Ground(absl::StrCat(
        "blend { low { constant: 10 } high { constant: 20 } mask { constant: ", mask, " } }"));
  };
  EXPECT_EQ(blend(-1), 10);
  EXPECT_EQ(blend(0), 10);
  EXPECT_EQ(blend(0.5), 15);
  EXPECT_EQ(blend(1), 20);
  EXPECT_EQ(blend(7), 20);
}

TEST(BaseCompilerTest, Curves) {
  const auto curve = [](double in, const std::string& smooth) {
    return Ground(absl::StrCat("curve { source { constant: ", in, " } smooth: ", smooth,
                               " points { in: 0 out: 10 } points { in: 2 out: 30 }",
                               " points { in: 6 out: 20 } }"));
  };
  for (const std::string smooth : {"false", "true"}) {
    EXPECT_EQ(curve(-5, smooth), 10);
    EXPECT_EQ(curve(0, smooth), 10);
    EXPECT_EQ(curve(1, smooth), 20);
    EXPECT_EQ(curve(2, smooth), 30);
    EXPECT_EQ(curve(4, smooth), 25);
    EXPECT_EQ(curve(9, smooth), 20);
  }
  EXPECT_EQ(curve(0.5, "false"), 15);
  EXPECT_EQ(curve(0.5, "true"), 10 + 20 * (3 * 0.0625f - 2 * 0.015625f));
}

TEST(BaseCompilerTest, NoiseStaysWithinItsAmplitude) {
  const std::string noise = " { wavelength_m: 60000 amplitude: 100 offset: 1000 } ";
  float lowest[3] = {1e9f, 1e9f, 1e9f};
  float highest[3] = {-1e9f, -1e9f, -1e9f};
  const std::string kinds[3] = {"fbm", "billow", "ridged"};
  for (int kind = 0; kind < 3; ++kind) {
    const auto world = Made("base { " + kinds[kind] + noise + " }");
    for (int i = 0; i < 4000; ++i) {
      const float ground = RunBase(world->level(0), i * 37, i * i);
      lowest[kind] = std::min(lowest[kind], ground);
      highest[kind] = std::max(highest[kind], ground);
    }
  }
  EXPECT_GT(lowest[0], 895);
  EXPECT_LT(lowest[0], 960);
  EXPECT_LT(highest[0], 1105);
  EXPECT_GT(highest[0], 1040);
  EXPECT_GE(lowest[1], 899);
  EXPECT_LT(highest[1], 1105);
  EXPECT_GT(highest[1], 1000);
  EXPECT_GE(lowest[2], 1000);
  EXPECT_LE(highest[2], 1100.1f);
  EXPECT_GT(highest[2], 1060);
}

TEST(BaseCompilerTest, RandomGraphsGiveOneValueWithinTheirBound) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto world = World::Create(RandomSpec(seed));
    ASSERT_TRUE(world.ok()) << "seed " << seed << ": " << world.status();
    const double bound = LargestMagnitude((*world)->spec().base());
    for (int i = 0; i < 20; ++i) {
      const float ground = RunBase((*world)->level(0), i * 1001, (std::int64_t{1} << 40) - i);
      EXPECT_TRUE(std::isfinite(ground)) << "seed " << seed;
      EXPECT_LE(std::abs(static_cast<double>(ground)), bound * 1.0001 + 1e-3) << "seed " << seed;
    }
  }
}

TEST(BaseCompilerTest, SaltsDiffer) {
  EXPECT_NE(Ground("fbm { wavelength_m: 60000 salt: 1 }"), Ground("fbm { wavelength_m: 60000 }"));
}

TEST(BaseCompilerTest, OctavesShorterThanTwoCellsAreLeftOut) {
  // 2,048 m are four cells. So there are the octaves of 4 and 2 cells, and one push of the offset.
  EXPECT_EQ(Made("base { fbm { wavelength_m: 2048 octaves: 9 } }")->level(0).base().size(), 3u);
}

TEST(BaseCompilerTest, WarpsMoveThePositionAndRestoreIt) {
  // No octave of the displacement fits, so it is only its offset: 1,024 m, two cells, on both axes.
  const std::string source = "fbm { wavelength_m: 60000 amplitude: 100 }";
  const std::string warp =
      "warp { source { " + source + " } displacement { wavelength_m: 9 offset: 1024 } }";
  EXPECT_EQ(Ground(warp, 500, 600), Ground(source, 502, 602));
  const std::string both = "sum { nodes { " + warp + " } nodes { " + source + " } }";
  EXPECT_EQ(Ground(both, 500, 600), Ground(source, 502, 602) + Ground(source, 500, 600));
}

// A second use of a node adds a few instructions, but no noise.
TEST(CompilerTest, ARepeatedNodeIsComputedOnce) {
  const std::string ranges =
      "{ warp { source { ridged { wavelength_m: 90000 octaves: 4 } } "
      "displacement { wavelength_m: 50000 amplitude: 3000 octaves: 2 } } }";
  const auto program_of = [](const std::string& base) {
    v1::WorldSpec spec = SmallSpec();
    spec.clear_base();
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(base, spec.mutable_base()));
    const auto world = World::Create(spec);
    EXPECT_TRUE(world.ok()) << world.status();
    return (*world)->level(0);
  };
  const LevelProgram once = program_of(ranges.substr(1, ranges.size() - 2));
  const LevelProgram twice = program_of(absl::StrCat(
      "sum { nodes ", ranges, " nodes { product { nodes ", ranges, " nodes ", ranges, " } } }"));
  const auto octaves = [](const LevelProgram& program) {
    return std::ranges::count_if(program.base(), [](const kernels::BaseInstruction& step) {
      return kernels::isOctave(kernels::operationOf(step));
    });
  };
  EXPECT_EQ(octaves(twice), octaves(once));
  for (std::int64_t x = -3; x < 4; ++x) {
    const float one = RunBase(once, x * 1001, 5 - x);
    EXPECT_EQ(RunBase(twice, x * 1001, 5 - x), one + one * one);
  }
}

}  // namespace
}  // namespace thalweg::world
