// The world that a raster becomes.
#pragma once

#include <optional>
#include <string>

#include "client/import/land_rivers.h"
#include "client/survey/grid.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::real_land {

// What a specification is made of.
struct LandFacts {
  std::string name;
  std::string description;
  // Of the elevation file.
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
  // How far from its edge the raster counts wholly.
  double blend_m = 0;
  // The world's origin in a coordinate reference system; empty: none is known.
  std::string crs;
  double origin_east = 0;
  double origin_north = 0;
};

// The level of a raster whose cells are so large: level 0's are half a kilometre to one.
int LevelOf(double cell_m);

// Land like the raster's lies around it, between basins as low as its lowest ground, or the sea;
// below its cells rivers go on by its own law, down to cells of a quarter of a metre.
v1::WorldSpec SpecOf(const LandFacts& facts);

}  // namespace thalweg::real_land
