// Makes the specification of a raster's world.
#pragma once

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "client/tools/import/land_margin.h"
#include "client/tools/import/land_waters.h"
#include "client/tools/survey/grid.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::real_land {

// The inputs of a specification.
struct LandFacts {
  std::string name;
  std::string description;
  // The hash of the elevation file.
  std::string hash;
  // The level whose cells are the raster's.
  int level = 0;
  double cell_m = 0;
  int width = 0;
  int height = 0;
  double lowest_m = 0;
  double highest_m = 0;
  SlopeLaw law;
  std::optional<double> sea_level_m;
  Edge edge;
  // The width of the margin around the raster in the elevation file.
  double margin_m = 0;
  // The world's origin in a coordinate reference system; empty: unknown.
  std::string crs;
  double origin_east = 0;
  double origin_north = 0;
};

// Returns the level of a raster with cells of this size. Level 0 has cells of 0.5 to 1 km.
int LevelOf(double cell_m);

// Returns the surroundings that the margin of the raster comes down to.
Surroundings SurroundingsOf(const LandFacts& facts);

// Makes the specification. Around the raster lies similar land, between basins as low as its lowest
// ground or the sea. Finer levels continue its rivers by its own law, down to cells of 25 cm.
v1::WorldSpec SpecOf(const LandFacts& facts);

// Checks that a server would take it. INVALID_ARGUMENT names the field that is wrong.
absl::Status CheckSpec(v1::WorldSpec spec);

}  // namespace thalweg::real_land
