// What specifications are compiled to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/world/base_bound.h"
#include "server/world/host_math.h"
#include "server/world/noise_lattice.h"
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

TEST(TangentTest, AgreesWithTheLibrary) {
  for (double degrees = 0.25; degrees <= 85; degrees += 0.25) {
    const double expected = std::tan(degrees * std::acos(-1.0) / 180.0);
    EXPECT_NEAR(TangentOfDegrees(degrees) / expected, 1.0, 1e-12) << degrees;
  }
  EXPECT_EQ(TangentOfDegrees(0), 0.0);
}

TEST(KernelFloatTest, FlushesWhatCouldBecomeDenormal) {
  EXPECT_EQ(KernelFloat(1e-300), 0.0f);
  EXPECT_EQ(KernelFloat(-1e-40), 0.0f);
  EXPECT_EQ(KernelFloat(0.1), 0.1f);
}

TEST(TurnedLatticeTest, MatchesItsWavelengthWithinThreePercent) {
  double wavelength = 2.0;
  for (std::uint32_t i = 0; wavelength < 1e8; ++i, wavelength *= 1.013) {
    for (std::uint32_t turn = 0; turn < 8; ++turn) {
      const kernels::Lattice lattice = TurnedLattice(wavelength, turn, 7);
      const double length = std::hypot(lattice.turn_x, lattice.turn_y);
      const double cells = std::ldexp(1.0 / length, lattice.shift) / 256.0;
      EXPECT_NEAR(cells / wavelength, 1.0, 0.03) << wavelength << " " << turn;
      EXPECT_LE(length, 31.0);
      // Never along an axis.
      EXPECT_NE(lattice.turn_x, 0);
      EXPECT_NE(lattice.turn_y, 0);
    }
  }
}

TEST(LevelCompilerTest, DropletUnits) {
  const auto world = Made("cell_size_m: 512 levels: 17");
  const auto& coarse = std::get<DropletStage>(world->level(0).stages[0]);
  EXPECT_EQ(coarse.steps, 24);
  EXPECT_EQ(coarse.evaporation_q16, 1311);
  EXPECT_EQ(coarse.params.inverse_cell, 1.0f / 33554432.0f);
  EXPECT_EQ(coarse.params.inertia, 0.1f);
  EXPECT_EQ(coarse.params.pull, 0.9f);
  EXPECT_EQ(coarse.params.kept_energy, 0.9f);
  EXPECT_EQ(coarse.params.capacity, 2.0f / 128.0f);
  EXPECT_EQ(coarse.params.grain_bits, 0);
  EXPECT_EQ(coarse.params.grains_per_cell, 33554432.0f);
  EXPECT_EQ(coarse.params.cells_per_parcel, 1024.0f / 33554432.0f);
  const auto& fine = std::get<DropletStage>(world->level(16).stages[0]);
  EXPECT_EQ(fine.params.grain_bits, 16);
  EXPECT_EQ(fine.params.grains_per_cell, 33554432.0f);
  EXPECT_EQ(fine.params.stream, 256u);
}

TEST(LevelCompilerTest, DensityGathersWater) {
  const auto everywhere = Made("");
  const auto& all = std::get<DropletStage>(everywhere->level(0).stages[0]).params;
  EXPECT_EQ(all.density, 65536u);
  EXPECT_EQ(all.gathered, 1.0f);
  v1::WorldSpec spec = SmallSpec();
  spec.mutable_rules(0)->mutable_stages(0)->mutable_droplet()->set_density(0.25);
  const auto world = World::Create(spec);
  ASSERT_TRUE(world.ok()) << world.status();
  const auto& quarter = std::get<DropletStage>((*world)->level(0).stages[0]).params;
  EXPECT_EQ(quarter.density, 16384u);
  EXPECT_EQ(quarter.gathered, 4.0f);
}

TEST(LevelCompilerTest, HydrologyUnits) {
  v1::WorldSpec spec = SmallSpecWith("sea_level_m: 2 cell_size_m: 512");
  v1::Hydrology& hydrology = *spec.mutable_rules(0)->add_stages()->mutable_hydrology();
  hydrology.set_friction(0.25);
  hydrology.set_stream_scale(2);
  hydrology.set_drain_loss(0.75);
  hydrology.set_density(0.5);
  const auto world = World::Create(spec);
  ASSERT_TRUE(world.ok()) << world.status();
  const auto& stage = std::get<HydrologyStage>((*world)->level(1).stages[3]);
  EXPECT_EQ(stage.steps, 24);
  EXPECT_EQ(stage.rain.density, 32768u);
  EXPECT_EQ(stage.rain.stream, 19u);
  EXPECT_EQ(stage.move.inverse_cell, 1.0f / 16777216.0f);
  EXPECT_EQ(stage.move.friction, 0.25f);
  EXPECT_EQ(stage.move.inverse_stream_scale, 1.0f / 512.0f);
  EXPECT_EQ(stage.move.sea_level, 131072);
  EXPECT_EQ(stage.settle.drain_loss, 768);
  EXPECT_EQ(stage.settle.bed.grain_bits, 1);
  EXPECT_EQ(stage.settle.bed.capacity, 2.0f / 128.0f);
}

TEST(LevelCompilerTest, VegetationUnits) {
  v1::WorldSpec spec = SmallSpec();
  v1::Vegetation& vegetation = *spec.mutable_rules(0)->add_stages()->mutable_vegetation();
  vegetation.set_spawn_slope_deg(45);
  vegetation.set_death_flow(3);
  vegetation.set_spawn_chance(0.25);
  const auto bare = World::Create(spec);
  ASSERT_TRUE(bare.ok()) << bare.status();
  const auto& params = std::get<VegetationStage>((*bare)->level(0).stages[3]).params;
  EXPECT_FLOAT_EQ(params.spawn_slope2, 1.0f);
  EXPECT_EQ(params.death_flow, 768);
  EXPECT_EQ(params.spawn_chance, 4194304u);
  EXPECT_EQ(params.inverse_band, 0.0f);
  vegetation.set_tree_line_m(2);
  vegetation.set_tree_line_band_m(4);
  const auto lined = World::Create(spec);
  ASSERT_TRUE(lined.ok()) << lined.status();
  const auto& with_line = std::get<VegetationStage>((*lined)->level(0).stages[3]).params;
  EXPECT_EQ(with_line.tree_line, 131072);
  EXPECT_EQ(with_line.inverse_band, 1.0f / 262144.0f);
}

TEST(LevelCompilerTest, CollisionUnits) {
  v1::WorldSpec spec = SmallSpecWith("cell_size_m: 512");
  v1::Collision& collision = *spec.mutable_rules(0)->add_stages()->mutable_collision();
  collision.set_friction(0.75);
  collision.set_capacity(0.5);
  collision.set_soil_m(3);
  const auto world = World::Create(spec);
  ASSERT_TRUE(world.ok()) << world.status();
  const auto& stage = std::get<CollisionStage>((*world)->level(1).stages[3]);
  EXPECT_EQ(stage.steps, 24);
  EXPECT_EQ(stage.move.kept_speed, 0.5f);
  EXPECT_EQ(stage.move.capacity, 16777216.0f);
  EXPECT_EQ(stage.move.soil, 196608);
  EXPECT_EQ(stage.settle.grain_bits, 1);
  EXPECT_EQ(stage.settle.grains_per_cell, 33554432.0f);
}

TEST(LevelCompilerTest, GrainsStayBetweenTwoPowers) {
  for (const std::string cell : {"1", "1.7", "3.99", "100", "511", "513", "1000"}) {
    const auto world = Made(absl::StrCat("levels: 10 cell_size_m: ", cell));
    for (int level = 0; level < 10; ++level) {
      const auto& params = std::get<DropletStage>(world->level(level).stages[0]).params;
      EXPECT_GE(params.grains_per_cell, 33554432.0f) << cell << " level " << level;
      EXPECT_LE(params.grains_per_cell, 67108864.0f) << cell << " level " << level;
    }
  }
}

TEST(LevelCompilerTest, StagesOfOneLevelHaveRainOfTheirOwn) {
  const auto world = Made("rules { }");
  v1::WorldSpec spec = world->spec();
  *spec.mutable_rules(0)->add_stages() = spec.rules(0).stages(0);
  const auto twice = World::Create(spec);
  ASSERT_TRUE(twice.ok()) << twice.status();
  EXPECT_EQ(std::get<DropletStage>((*twice)->level(2).stages[0]).params.stream, 32u);
  EXPECT_EQ(std::get<DropletStage>((*twice)->level(2).stages[3]).params.stream, 35u);
}

TEST(LevelCompilerTest, ThermalUnits) {
  const auto world = Made("cell_size_m: 100");
  const auto& params = std::get<ThermalStage>(world->level(0).stages[1]).params;
  EXPECT_NEAR(params.talus, std::tan(38.0 * std::acos(-1.0) / 180.0) * 6553600.0, 0.6);
  EXPECT_NEAR(params.diagonal_talus, params.talus * std::sqrt(2.0), 1.5);
  EXPECT_EQ(params.rate, 0.25f);
}

TEST(LevelCompilerTest, ReboundUnits) {
  const auto world = Made("");
  const auto& params = std::get<ReboundStage>(world->level(0).stages[2]).params;
  EXPECT_EQ(params.radius, 8);
  EXPECT_EQ(params.radius_bits, 3);
  EXPECT_EQ(params.strength, 65536);
}

TEST(LevelCompilerTest, SnowballUnits) {
  v1::WorldSpec spec = SmallSpecWith("cell_size_m: 512");
  spec.mutable_rules(0)->mutable_stages(0)->mutable_snowball()->set_density(0.25);
  const auto world = World::Create(spec);
  ASSERT_TRUE(world.ok()) << world.status();
  const auto& stage = std::get<SnowballStage>((*world)->level(1).stages[0]);
  EXPECT_EQ(stage.steps, 32);
  EXPECT_EQ(stage.ramp_q16, 6554);
  // A quarter of the cells, 32 steps each: a unit of traffic is an eighth of a unit of flow.
  EXPECT_EQ(stage.traffic_q16, 8192);
  EXPECT_EQ(stage.params.births, 16384);
  EXPECT_EQ(stage.params.radius, 256);
  EXPECT_EQ(stage.params.grain_bits, 1);
  EXPECT_EQ(stage.params.grains_per_unit, 2.0f);
  EXPECT_EQ(stage.params.wishes_per_cell, 131072.0f);
  EXPECT_EQ(stage.params.stream, 16u);
}

TEST(LevelCompilerTest, RaindropUnits) {
  v1::WorldSpec spec = SmallSpecWith("cell_size_m: 512");
  spec.mutable_rules(0)->mutable_stages(0)->mutable_raindrop()->set_wind(1);
  const auto world = World::Create(spec);
  ASSERT_TRUE(world.ok()) << world.status();
  const auto& stage = std::get<RaindropStage>((*world)->level(0).stages[0]);
  EXPECT_EQ(stage.wind.straight, 8192);
  EXPECT_EQ(stage.wind.diagonal, 4096);
  EXPECT_EQ(stage.params.wishes_per_cell, 131072.0f);
  EXPECT_EQ(stage.params.cells_per_parcel, 1024.0f / 33554432.0f);
}

TEST(LevelCompilerTest, ShoreIsFoundWhereThereIsASeaOrALake) {
  v1::WorldSpec spec = SmallSpecWith("sea_level_m: 2");
  spec.mutable_rules(0)->mutable_stages(0)->mutable_shore();
  auto world = World::Create(spec);
  ASSERT_TRUE(world.ok()) << world.status();
  const LevelProgram& program = (*world)->level(0);
  EXPECT_EQ(std::get<ShoreStage>(program.stages[0]).params.sea_level, 131072);
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

TEST(LevelCompilerTest, DetailHasFourCellsWavelength) {
  const auto world = Made("");
  for (int level = 1; level < world->levels(); ++level) {
    const LevelProgram& program = world->level(level);
    EXPECT_TRUE(program.base.empty());
    EXPECT_EQ(program.detail_lattice.shift, 14);
    EXPECT_NEAR(std::hypot(program.detail_lattice.turn_x, program.detail_lattice.turn_y), 16, 0.5);
    EXPECT_EQ(program.detail_lattice.stream, 1000u + static_cast<std::uint32_t>(level));
    EXPECT_EQ(program.detail.cell, std::ldexp(33554432.0f, -level));
    EXPECT_EQ(program.detail.background_flow, 256);
  }
}

TEST(LevelCompilerTest, FirstRuleThatNamesALevelHolds) {
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

// The ground in metres at a vertex.
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

TEST(BaseCompilerTest, RandomGraphsLeaveOneValueWithinTheirBound) {
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
  // 2,048 m are four cells: the octaves of 4 and of 2 cells, and the offset's push.
  EXPECT_EQ(Made("base { fbm { wavelength_m: 2048 octaves: 9 } }")->level(0).base.size(), 3u);
}

TEST(BaseCompilerTest, WarpsMoveThePlaceAndPutItBack) {
  // The displacement has no octave that fits, so it is its offset: 1,024 m, two cells, either way.
  const std::string source = "fbm { wavelength_m: 60000 amplitude: 100 }";
  const std::string warp =
      "warp { source { " + source + " } displacement { wavelength_m: 9 offset: 1024 } }";
  EXPECT_EQ(Ground(warp, 500, 600), Ground(source, 502, 602));
  const std::string both = "sum { nodes { " + warp + " } nodes { " + source + " } }";
  EXPECT_EQ(Ground(both, 500, 600), Ground(source, 502, 602) + Ground(source, 500, 600));
}

}  // namespace
}  // namespace thalweg::world
