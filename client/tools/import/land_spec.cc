#include "client/tools/import/land_spec.h"

#include <algorithm>
#include <cmath>

#include "client/tools/import/land_waters.h"
#include "proto/base/world_text.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_key.h"

namespace thalweg::real_land {
namespace {

constexpr double kLargestCellM = 1024;
constexpr double kFinestCellM = 0.25;
// With cells of this size or smaller the stage `ground` goes on with the raster's own forms.
constexpr double kGroundCellM = 12;

int LevelsOf(double cell_m, int level) {
  const int finer = static_cast<int>(std::ceil(std::log2(cell_m / kFinestCellM)));
  return std::clamp(level + 1 + std::max(finer, 0), level + 1, wire::kMaxLevels);
}

// Ground with fewer cells of the raster upstream keeps its heights: more channels would carve away
// the raster's own forms.
constexpr double kChannelCells = 100;
// In the parent's cells: it bends rivers of the raster's grid. More would move valleys too far.
constexpr double kDisplacement = 0.7;

v1::Rivers* AddRivers(const SlopeLaw& law, v1::LevelRule& rule) {
  v1::Rivers* const rivers = rule.add_stages()->mutable_rivers();
  rivers->set_steepness(law.steepness);
  rivers->set_concavity(law.concavity);
  rivers->set_repose_deg(law.repose_deg);
  return rivers;
}

v1::LevelRule& AddRule(int from, double roughness, double slope_roughness, v1::WorldSpec& spec) {
  v1::LevelRule& rule = *spec.add_rules();
  rule.set_from_level(static_cast<unsigned>(from));
  rule.mutable_detail()->set_roughness(roughness);
  rule.mutable_detail()->set_slope_roughness(slope_roughness);
  return rule;
}

// The area in square metres at which channels of finer levels begin.
double ChannelAreaM2(const LandFacts& facts) {
  constexpr double kMostM2 = 1e9;
  return std::clamp(std::round(kChannelCells * facts.cell_m * facts.cell_m), 1.0, kMostM2);
}

// Rock, scree and soil where slopes are as steep as theirs.
void AddGround(const LandFacts& facts, int from, v1::WorldSpec& spec) {
  v1::LevelRule& rule = *spec.add_rules();
  rule.set_from_level(static_cast<unsigned>(from));
  v1::Ground& ground = *rule.add_stages()->mutable_ground();
  ground.mutable_rock();
  ground.mutable_beds();
  // With these, three laser scans of the Alps, averaged to 20 m and refined, are as rough at 5 m as
  // they were.
  ground.mutable_gullies()->set_depth(0.24);
  ground.mutable_gullies()->set_slope(0.28);
  ground.mutable_joints();
  ground.mutable_stones();
  ground.mutable_soil()->set_roughness(0.011);
  ground.mutable_rivers()->set_from_area_m2(ChannelAreaM2(facts));
}

// Adds the rules of levels finer than the raster. The first one finds ways over longer hillslopes,
// because the raster has few rivers, and bends its rivers off the grid. Where cells are small, each
// vertex is made from its parent's ground alone.
void AddFinerRules(const LandFacts& facts, v1::WorldSpec& spec) {
  const auto add_rivers = [&](v1::LevelRule& rule) {
    v1::Rivers* const rivers = AddRivers(facts.law, rule);
    rivers->set_repose_deg(facts.law.steepest_deg);
    rivers->set_channel_area_m2(ChannelAreaM2(facts));
    rivers->set_displacement(kDisplacement);
    rivers->set_creep(0.2);
    rivers->set_floor_width(0.05);
    return rivers;
  };
  const int first = facts.level + 1;
  v1::LevelRule& below = AddRule(first, 0, 0.1, spec);
  below.set_to_level(static_cast<unsigned>(first));
  v1::Rivers* const ways = add_rivers(below);
  ways->set_keep(24);
  ways->set_fills(16);
  int fine = first + 1;
  while (std::ldexp(facts.cell_m, facts.level - fine) > kGroundCellM) ++fine;
  if (fine > first + 1) {
    v1::LevelRule& finer = AddRule(first + 1, 0, 0.1, spec);
    finer.set_to_level(static_cast<unsigned>(fine) - 1);
    add_rivers(finer);
  }
  AddGround(facts, fine, spec);
}

void AddRules(const LandFacts& facts, v1::WorldSpec& spec) {
  v1::LevelRule& first = *spec.add_rules();
  first.set_to_level(0);
  v1::Rivers* const rivers = AddRivers(facts.law, first);
  rivers->set_wander(0.8);
  rivers->set_path(32);
  rivers->set_fills(32);
  rivers->set_drainage(16);
  rivers->set_steps(32);
  const auto level = static_cast<unsigned>(facts.level);
  if (level > 0) {
    v1::LevelRule& around = AddRule(1, 0, 0.1, spec);
    around.set_to_level(level);
    AddRivers(facts.law, around)->set_wander(0.8);
  }
  AddFinerRules(facts, spec);
}

double ReliefOf(const LandFacts& facts) { return std::max(facts.highest_m - facts.lowest_m, 10.0); }

// The height of the sea's floor far from a raster that lies in it: few hills are islands.
double DeepOf(const LandFacts& facts) { return facts.edge.mean_m - ReliefOf(facts) / 4; }

// The part of a margin, at its outer side, in which it blends with the world's own ground.
constexpr double kBlendPart = 1.0 / 4;

// Makes the base: hills between basins that reach as low as the raster. Where the raster lies in a
// sea, the sea goes on, with a few islands.
void AddBase(const LandFacts& facts, double floor_m, v1::WorldSpec& spec) {
  const double side_m = std::min(facts.width, facts.height) * facts.cell_m;
  v1::Noise& hills = *spec.mutable_base()->mutable_fbm();
  hills.set_wavelength_m(std::max(side_m / 2, 16 * spec.cell_size_m()));
  hills.set_amplitude(ReliefOf(facts) / 4);
  hills.set_octaves(4);
  const double offset_m =
      std::lerp(floor_m + ReliefOf(facts) / 16, DeepOf(facts), facts.edge.in_sea);
  hills.set_offset(std::clamp(std::round(offset_m), -kHighestM, kHighestM));
}

// How deep the basins are in which rivers end, below the plains.
constexpr double kBasinM = 1;

}  // namespace

int LevelOf(double cell_m) {
  return std::clamp(static_cast<int>(std::floor(std::log2(kLargestCellM / cell_m))), 0,
                    wire::kMaxLevels - 1);
}

Surroundings SurroundingsOf(const LandFacts& facts) {
  constexpr double kBelowM = 2;
  constexpr double kShallowM = 30;
  if (!facts.sea_level_m) return {std::floor(facts.lowest_m) - kBelowM, std::nullopt};
  const double shallow_m = *facts.sea_level_m - kShallowM;
  return {std::min(shallow_m, std::lerp(shallow_m, DeepOf(facts), facts.edge.in_sea)),
          facts.sea_level_m};
}

v1::WorldSpec SpecOf(const LandFacts& facts) {
  v1::WorldSpec spec;
  spec.set_name(facts.name);
  spec.set_description(facts.description);
  spec.set_seed(1);
  spec.set_cell_size_m(std::ldexp(facts.cell_m, facts.level));
  spec.set_levels(static_cast<unsigned>(LevelsOf(facts.cell_m, facts.level)));
  const double floor_m = facts.sea_level_m.value_or(SurroundingsOf(facts).plain_m -
                                                    PlainFall(facts.margin_m) - kBasinM);
  if (facts.sea_level_m) {
    spec.set_sea_level_m(*facts.sea_level_m);
  } else {
    spec.set_base_level_m(floor_m);
  }
  AddBase(facts, floor_m, spec);
  AddRules(facts, spec);
  const double side_m = std::min(facts.width, facts.height) * facts.cell_m;
  spec.mutable_showplace()->set_side_m(std::max(side_m, 1.0));
  v1::Elevation& elevation = *spec.mutable_elevation();
  elevation.set_sha256(facts.hash);
  elevation.set_level(static_cast<unsigned>(facts.level));
  elevation.set_blend_m(kBlendPart * facts.margin_m);
  if (!facts.crs.empty()) {
    v1::Georeference& place = *spec.mutable_georeference();
    place.set_crs(facts.crs);
    place.set_east(facts.origin_east);
    place.set_north(facts.origin_north);
  }
  return spec;
}

absl::Status CheckSpec(v1::WorldSpec spec) {
  THALWEG_RETURN_IF_ERROR(text::Normalise(spec));
  THALWEG_RETURN_IF_ERROR(text::CheckName(spec));
  THALWEG_RETURN_IF_ERROR(text::CheckDescription(spec));
  return text::CheckGeoreference(spec);
}

}  // namespace thalweg::real_land
