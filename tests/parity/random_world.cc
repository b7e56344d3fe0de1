#include "tests/parity/random_world.h"

#include <algorithm>
#include <cmath>

#include "gtest/gtest.h"
#include "server/stages/stage.h"
#include "tests/stages/any_stage.h"

namespace thalweg::parity {
namespace {

double Uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

std::uint32_t Whole(Random& random, std::uint32_t low, std::uint32_t high) {
  return std::uniform_int_distribution<std::uint32_t>(low, high)(random);
}

void SetNoise(Random& random, v1::Noise& noise, double wavelength_m, double amplitude) {
  noise.set_wavelength_m(wavelength_m);
  noise.set_amplitude(amplitude);
  noise.set_octaves(Whole(random, 2, 6));
  noise.set_salt(Whole(random, 0, 1000));
}

// Every kind of node, so that the noise program's every operation is run.
void SetBase(Random& random, v1::Node& base) {
  auto& sum = *base.mutable_sum();
  auto& blend = *sum.add_nodes()->mutable_blend();
  SetNoise(random, *blend.mutable_low()->mutable_fbm(), Uniform(random, 8e3, 8e4), 900);
  SetNoise(random, *blend.mutable_high()->mutable_ridged(), Uniform(random, 8e3, 8e4), 2500);
  auto& curve = *blend.mutable_mask()->mutable_curve();
  SetNoise(random, *curve.mutable_source()->mutable_fbm(), 1e5, 1);
  for (const double in : {-0.5, 0.0, 0.5}) {
    auto& point = *curve.add_points();
    point.set_in(in);
    point.set_out(in + 0.5);
  }
  curve.set_smooth(Whole(random, 0, 1) == 1);
  auto& warp = *sum.add_nodes()->mutable_warp();
  SetNoise(random, *warp.mutable_source()->mutable_billow(), Uniform(random, 4e3, 4e4), 300);
  SetNoise(random, *warp.mutable_displacement(), 3e4, 2000);
}

std::shared_ptr<const world::World> Create(const v1::WorldSpec& spec) {
  auto created = world::World::Create(spec);
  EXPECT_TRUE(created.ok()) << created.status() << "\n" << spec.DebugString();
  return created.ok() ? *created : nullptr;
}

}  // namespace

v1::Stage RandomDroplet(Random& random, int max_steps) {
  v1::Stage stage;
  auto& droplet = *stage.mutable_droplet();
  droplet.set_steps(Whole(random, 1, static_cast<std::uint32_t>(max_steps)));
  droplet.set_inertia(Uniform(random, 0, 0.9));
  droplet.set_capacity(Uniform(random, 0.2, 8));
  droplet.set_min_slope(Uniform(random, 0, 0.1));
  droplet.set_erosion(Uniform(random, 0.01, 0.8));
  droplet.set_deposition(Uniform(random, 0.01, 0.8));
  droplet.set_evaporation(Uniform(random, 0, 0.1));
  droplet.set_gravity(Uniform(random, 0, 16));
  droplet.set_friction(Uniform(random, 0, 0.5));
  droplet.set_limit(Uniform(random, 0.05, 0.5));
  droplet.set_inheritance(Uniform(random, 0, 2));
  if (Whole(random, 0, 1) == 1) droplet.set_density(Uniform(random, 0.05, 1));
  return stage;
}

v1::Stage RandomThermal(Random& random) {
  v1::Stage stage;
  stage.mutable_thermal()->set_iterations(Whole(random, 1, 6));
  stage.mutable_thermal()->set_talus_deg(Uniform(random, 10, 60));
  stage.mutable_thermal()->set_rate(Uniform(random, 0.1, 1));
  return stage;
}

v1::Stage RandomRebound(Random& random) {
  v1::Stage stage;
  stage.mutable_rebound()->set_radius(1u << Whole(random, 1, 4));
  stage.mutable_rebound()->set_strength(Uniform(random, 0, 1));
  return stage;
}

v1::Stage RandomPools(Random& random) {
  v1::Stage stage;
  stage.mutable_pools()->set_path(1u << Whole(random, 1, 4));
  stage.mutable_pools()->set_fills(Whole(random, 1, 24));
  stage.mutable_pools()->set_silt(Uniform(random, 0, 0.5));
  return stage;
}

namespace {

v1::Stage RandomSilt(Random& random) {
  v1::Stage stage;
  stage.mutable_silt()->set_path(1u << Whole(random, 1, 3));
  stage.mutable_silt()->set_fills(Whole(random, 2, 6));
  stage.mutable_silt()->set_depth(Uniform(random, 0, 2));
  stage.mutable_silt()->set_freeboard(Uniform(random, 0, 0.5));
  return stage;
}

v1::Stage RandomFluvial(Random& random) {
  v1::Stage stage;
  auto& fluvial = *stage.mutable_fluvial();
  fluvial.set_path(1u << Whole(random, 1, 4));
  fluvial.set_fills(Whole(random, 1, 20));
  fluvial.set_drainage(Whole(random, 1, 16));
  fluvial.set_iterations(Whole(random, 0, 12));
  fluvial.set_erodibility(Uniform(random, 0.001, 0.1));
  fluvial.set_area_exponent(Uniform(random, 0.1, 1));
  fluvial.set_depth(Uniform(random, 0.5, 40));
  fluvial.set_freeboard(Uniform(random, 0, 0.5));
  fluvial.set_silt(Uniform(random, 0, 1));
  fluvial.set_limit(Uniform(random, 0.1, 0.5));
  fluvial.set_talus_deg(Uniform(random, 10, 60));
  return stage;
}

}  // namespace

v1::Stage RandomRivers(Random& random) {
  v1::Stage stage;
  auto& rivers = *stage.mutable_rivers();
  rivers.set_steepness(Uniform(random, 1, 60));
  rivers.set_concavity(Uniform(random, 0.3, 0.6));
  rivers.set_repose_deg(Uniform(random, 20, 50));
  rivers.set_path(1u << Whole(random, 1, 4));
  rivers.set_fills(Whole(random, 1, 12));
  rivers.set_drainage(1u << Whole(random, 0, 4));
  rivers.set_steps(1u << Whole(random, 0, 4));
  rivers.set_slides(Whole(random, 0, 6));
  rivers.set_keep(Uniform(random, 1, 20));
  rivers.set_displacement(Uniform(random, 0, 1));
  rivers.set_wander(Uniform(random, 0, 1));
  // This is so small that most rivers have floors.
  rivers.set_channel_area_m2(Uniform(random, 1, 200));
  rivers.set_creep(Uniform(random, 0, 1));
  rivers.set_crest_m(Uniform(random, 0, 500));
  rivers.set_floor_width(Uniform(random, 0.1, 0.5));
  rivers.set_trough(Uniform(random, 0, 1));
  return stage;
}

v1::Stage RandomGround(Random& random) {
  v1::Stage stage;
  auto& ground = *stage.mutable_ground();
  ground.mutable_rock()->set_slope(Uniform(random, 0, 1));
  ground.mutable_rock()->set_variation(Uniform(random, 0, 1));
  ground.mutable_rock()->set_patch_m(Uniform(random, 20, 400));
  ground.mutable_rock()->set_formation_m(Uniform(random, 5, 100));
  ground.mutable_beds()->set_step(Uniform(random, 0.2, 0.9));
  ground.mutable_beds()->set_thickness(Uniform(random, 2, 6));
  ground.mutable_beds()->set_dip(Uniform(random, 0, 0.5));
  ground.mutable_beds()->set_fold_m(Uniform(random, 500, 5000));
  ground.mutable_gullies()->set_depth(Uniform(random, 0.05, 0.5));
  ground.mutable_gullies()->set_slope(Uniform(random, 0, 0.5));
  ground.mutable_gullies()->set_min_m(0);
  ground.mutable_joints()->set_height(Uniform(random, 0.05, 0.5));
  ground.mutable_stones()->set_cover(Uniform(random, 0.05, 0.5));
  ground.mutable_soil()->set_roughness(Uniform(random, 0.005, 0.05));
  ground.set_displacement(Uniform(random, 0, 1));
  ground.mutable_dunes()->set_wind_deg(Uniform(random, 0, 360));
  ground.mutable_dunes()->set_wavelength_m(Uniform(random, 1, 400));
  ground.mutable_dunes()->set_height_m(Uniform(random, 1, 40));
  ground.mutable_dunes()->set_slope(1);
  ground.mutable_striae()->set_ice_deg(Uniform(random, 0, 360));
  ground.mutable_striae()->set_wavelength_m(Uniform(random, 1, 100));
  ground.mutable_terracettes()->set_step(Uniform(random, 0.1, 0.8));
  ground.mutable_craters()->set_density(Uniform(random, 0.1, 1));
  ground.mutable_coast()->set_height_m(Uniform(random, 1, 200));
  return stage;
}

namespace {

v1::Stage RandomSnowball(Random& random, int max_steps) {
  v1::Stage stage;
  auto& snowball = *stage.mutable_snowball();
  snowball.set_steps(Whole(random, 1, static_cast<std::uint32_t>(max_steps)));
  snowball.set_radius(Uniform(random, 0, 2));
  snowball.set_friction(Uniform(random, 0, 0.9));
  snowball.set_speed(Uniform(random, 0.5, 3));
  snowball.set_erosion(Uniform(random, 0.02, 0.8));
  snowball.set_deposition(Uniform(random, 0.01, 0.8));
  snowball.set_ramp(Uniform(random, 0.1, 1));
  snowball.set_flat_slope(Uniform(random, 0, 0.05));
  snowball.set_limit(Uniform(random, 0.05, 0.5));
  snowball.set_density(Uniform(random, 0.3, 1));
  return stage;
}

v1::Stage RandomRaindrop(Random& random, int max_steps) {
  v1::Stage stage;
  auto& raindrop = *stage.mutable_raindrop();
  raindrop.set_steps(Whole(random, 1, static_cast<std::uint32_t>(max_steps)));
  raindrop.set_erosion(Uniform(random, 0.01, 0.5));
  raindrop.set_capacity(Uniform(random, 0.05, 1));
  raindrop.set_deposition(Uniform(random, 0.05, 1));
  raindrop.set_limit(Uniform(random, 0.05, 0.5));
  raindrop.set_wind_period(Whole(random, 0, 6));
  raindrop.set_wind(Uniform(random, 0.1, 1));
  raindrop.set_wander(Uniform(random, 0, 1));
  return stage;
}

v1::Stage RandomShore(Random& random) {
  v1::Stage stage;
  stage.mutable_shore()->set_radius(Whole(random, 1, 12));
  return stage;
}

v1::Stage RandomBlur(Random& random) {
  v1::Stage stage;
  stage.mutable_blur()->set_iterations(Whole(random, 1, 8));
  stage.mutable_blur()->set_strength(Uniform(random, 0.1, 1));
  return stage;
}

v1::Stage RandomHydrology(Random& random, int max_steps) {
  v1::Stage stage;
  auto& hydrology = *stage.mutable_hydrology();
  auto& rain = *hydrology.mutable_rain();
  rain.set_steps(Whole(random, 1, static_cast<std::uint32_t>(max_steps)));
  rain.set_inertia(Uniform(random, 0, 0.9));
  rain.set_capacity(Uniform(random, 0.2, 8));
  rain.set_min_slope(Uniform(random, 0, 0.1));
  rain.set_erosion(Uniform(random, 0.01, 0.8));
  rain.set_deposition(Uniform(random, 0.01, 0.8));
  rain.set_evaporation(Uniform(random, 0, 0.2));
  rain.set_gravity(Uniform(random, 0, 16));
  rain.set_friction(Uniform(random, 0, 0.5));
  rain.set_limit(Uniform(random, 0.05, 0.5));
  rain.set_inheritance(Uniform(random, 0, 2));
  rain.set_density(Uniform(random, 0.05, 1));
  hydrology.set_stream_scale(Uniform(random, 0.5, 200));
  hydrology.set_stream_friction(Uniform(random, 0, 1));
  hydrology.set_stream_evaporation(Uniform(random, 0, 1));
  hydrology.set_settling(Uniform(random, 0, 1));
  hydrology.set_drain_loss(Uniform(random, 0, 1));
  hydrology.set_plant_hold(Uniform(random, 0, 1));
  return stage;
}

v1::Stage RandomVegetation(Random& random) {
  v1::Stage stage;
  auto& vegetation = *stage.mutable_vegetation();
  vegetation.set_iterations(Whole(random, 1, 8));
  vegetation.set_spawn_chance(Uniform(random, 0.01, 0.5));
  vegetation.set_death_chance(Uniform(random, 0, 0.1));
  vegetation.set_spread(Uniform(random, 0, 1));
  vegetation.set_growth(Uniform(random, 0, 1));
  vegetation.set_spawn_slope_deg(Uniform(random, 10, 70));
  vegetation.set_death_slope_deg(Uniform(random, 10, 70));
  vegetation.set_spawn_flow(Uniform(random, 0, 200));
  vegetation.set_death_flow(Uniform(random, 0, 400));
  if (Whole(random, 0, 1) == 1) vegetation.set_tree_line_m(Uniform(random, -300, 300));
  return stage;
}

v1::Stage RandomCollision(Random& random, int max_steps) {
  v1::Stage stage;
  auto& collision = *stage.mutable_collision();
  collision.set_steps(Whole(random, 1, static_cast<std::uint32_t>(max_steps)));
  collision.set_gravity(Uniform(random, 0.1, 8));
  collision.set_friction(Uniform(random, 0, 0.5));
  collision.set_restitution(Uniform(random, 0, 1));
  collision.set_splash_speed(Uniform(random, 0, 2));
  collision.set_fall_speed(Uniform(random, 0, 3.9));
  collision.set_erodibility_soft(Uniform(random, 0.1, 2));
  collision.set_erodibility_hard(Uniform(random, 0.01, 1));
  collision.set_cushion(Uniform(random, 0, 1));
  collision.set_capacity(Uniform(random, 0.001, 0.2));
  collision.set_deposition(Uniform(random, 0.01, 1));
  collision.set_limit(Uniform(random, 0.05, 0.5));
  collision.set_inheritance(Uniform(random, 0, 2));
  collision.set_soil_m(Uniform(random, 0, 4));
  collision.set_roughness(Uniform(random, 0, 1));
  collision.set_crowding(Uniform(random, 0, 1));
  return stage;
}

bool HasKind(const std::vector<std::vector<v1::Stage>>& sequences, int kind) {
  for (const std::vector<v1::Stage>& stages : sequences) {
    for (const v1::Stage& stage : stages) {
      if (stage.kind_case() == kind) return true;
    }
  }
  return false;
}

// A stage of any kind, after the stages that write the layers which it reads.
std::vector<v1::Stage> AnySequence(Random& random, const google::protobuf::FieldDescriptor& kind) {
  const v1::Stage stage = stages::AnyStage(random, kind);
  const stages::LayerSet reads = stages::AccessOf(stage, /*sea=*/false).reads;
  std::vector<v1::Stage> sequence;
  if (reads.Contains(stages::Layer::kWater)) sequence.push_back(RandomPools(random));
  if (reads.Contains(stages::Layer::kVegetation)) sequence.push_back(RandomVegetation(random));
  sequence.push_back(stage);
  return sequence;
}

}  // namespace

std::vector<std::vector<v1::Stage>> EveryKind(Random& random, int max_steps) {
  // The stages have random numbers with which every kernel changes something. Other kinds have any
  // numbers in their ranges.
  std::vector<std::vector<v1::Stage>> sequences = {
      {RandomDroplet(random, max_steps)},
      {RandomThermal(random)},
      {RandomThermal(random), RandomRebound(random)},
      {RandomPools(random)},
      {RandomSilt(random)},
      {RandomFluvial(random)},
      {RandomPools(random), RandomFluvial(random)},
      {RandomRivers(random)},
      {RandomSnowball(random, max_steps)},
      {RandomRaindrop(random, max_steps)},
      {RandomPools(random), RandomShore(random)},
      {RandomBlur(random)},
      {RandomVegetation(random)},
      {RandomPools(random), RandomVegetation(random), RandomHydrology(random, max_steps)},
      {RandomCollision(random, max_steps)},
      {RandomPools(random), RandomCollision(random, max_steps)}};
  for (const auto* kind : stages::EveryKind()) {
    if (!HasKind(sequences, kind->number())) {
      sequences.push_back(AnySequence(random, *kind));
    }
  }
  // Every term of the ground, for a vertex depends on them alike.
  sequences.push_back({RandomGround(random)});
  return sequences;
}

std::string TextOf(const std::vector<v1::Stage>& stages) {
  std::string text;
  for (const v1::Stage& stage : stages) text += stage.ShortDebugString() + " ";
  return text;
}

std::shared_ptr<const world::World> RandomWorld(Random& random, int levels, int max_steps) {
  v1::WorldSpec spec;
  spec.set_name("random");
  spec.set_seed(random());
  spec.set_cell_size_m(Uniform(random, 100, 1500));
  spec.set_levels(static_cast<std::uint32_t>(levels));
  SetBase(random, *spec.mutable_base());
  for (int level = 0; level < levels; ++level) {
    auto& rule = *spec.add_rules();
    rule.set_from_level(static_cast<std::uint32_t>(level));
    rule.set_to_level(static_cast<std::uint32_t>(level));
    rule.mutable_detail()->set_roughness(Uniform(random, 0, 0.3));
    *rule.add_stages() = RandomDroplet(random, max_steps);
    for (std::uint32_t more = Whole(random, 0, 2); more > 0; --more) {
      const auto kinds = EveryKind(random, max_steps);
      for (const v1::Stage& stage : kinds[random() % kinds.size()]) {
        // It would need a rule of its own.
        if (!stage.has_ground()) *rule.add_stages() = stage;
      }
    }
  }
  return Create(spec);
}

std::shared_ptr<const world::World> WorldOf(const std::vector<v1::Stage>& stages,
                                            double cell_size_m, std::uint64_t seed,
                                            std::optional<double> sea_level_m) {
  v1::WorldSpec spec;
  spec.set_name("stages");
  if (sea_level_m.has_value()) spec.set_sea_level_m(*sea_level_m);
  spec.set_seed(seed);
  std::uint32_t last = 1;
  while (cell_size_m * (1 << last) < 1) ++last;
  spec.set_cell_size_m(cell_size_m * (1 << last));
  spec.set_levels(last + 1);
  spec.mutable_base()->set_constant(0);
  auto& first = *spec.add_rules();
  first.set_to_level(last - 1);
  auto& rule = *spec.add_rules();
  rule.set_from_level(last);
  rule.mutable_detail()->set_roughness(0);
  rule.mutable_detail()->set_slope_roughness(0);
  for (const v1::Stage& stage : stages) {
    v1::Stage& added = *rule.add_stages();
    added = stage;
    // Rivers begin above the ground, where this world has none.
    if (added.has_ground()) added.mutable_ground()->clear_rivers();
    // Coasts need a sea.
    if (stage.ground().has_coast() && !sea_level_m.has_value()) spec.set_sea_level_m(0);
  }
  return Create(spec);
}

std::vector<std::int32_t> RoughGround(Random& random, int side, double cell_size_m) {
  // A sum of waves in random directions. They are 5 to 60 cells long and a tenth of that high, but
  // no higher than mountains, so that no height wraps at 32 km.
  constexpr int kWaves = 12;
  constexpr double kHighest = 400;
  struct Wave {
    double x, y, phase, height;
  };
  std::vector<Wave> waves;
  for (int i = 0; i < kWaves; ++i) {
    const double length = Uniform(random, 5, 60);
    const double turn = Uniform(random, 0, 6.28);
    waves.push_back({6.28 / length * std::cos(turn), 6.28 / length * std::sin(turn),
                     Uniform(random, 0, 6.28),
                     std::min(0.1 * length * cell_size_m, kHighest) * 65536});
  }
  std::vector<std::int32_t> ground;
  ground.reserve(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      double height = Uniform(random, -0.1, 0.1) * cell_size_m * 65536;
      for (const Wave& w : waves) height += w.height * std::sin(w.x * x + w.y * y + w.phase);
      ground.push_back(static_cast<std::int32_t>(height));
    }
  }
  return ground;
}

}  // namespace thalweg::parity
