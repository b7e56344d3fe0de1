// SPDX-License-Identifier: Apache-2.0

// A world as a server offers it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/export.h"
#include "thalweg/layer.h"
#include "thalweg/sample.h"

namespace thalweg {

// A square of ground that shows what a world is like, in metres.
struct Showplace {
  // Of its middle on a plane.
  double east_m = 0;
  double south_m = 0;
  double side_m = 0;
  // Of its middle on a planet.
  LatLong place = {};
};

// Where a world lies on the Earth: the place of its vertex 0, 0 in a coordinate reference system in
// metres.
struct Georeference {
  // An authority's code, "EPSG:32611", or WKT in one line.
  std::string crs;
  double east = 0;
  double north = 0;
};

struct THALWEG_API WorldInfo {
  std::string name;
  // One line for people; may be empty.
  std::string description;
  // 32 lower-case hexadecimal digits. Names the terrain, bit for bit, for ever.
  std::string id;
  std::uint64_t seed = 0;
  std::uint32_t generator_version = 0;
  // Spacing of level 0's vertices; each level halves it.
  double cell_size_m = 0;
  // Levels are 0, the coarsest, to levels - 1.
  int levels = 0;
  // Absent: the world has no sea.
  std::optional<double> sea_level_m;
  // For each level, the steepest angle in degrees that its thermal erosion lets stand: the smallest
  // angle of repose of its stages. Absent where a level has none.
  std::vector<std::optional<double>> talus_deg = {};
  // What can be asked for.
  std::vector<Layer> layers;
  // Vertices of every level reach from -max_vertex to max_vertex.
  std::int64_t max_vertex = 0;
  // All that the world is made of, as one line of JSON that create-world and worlds folders take.
  std::string specification = {};
  // By its middle and its side.
  Showplace showplace = {};
  // Absent: the world is a place of its own.
  std::optional<Georeference> georeference = {};
  // Of the planet that the world is, in metres; 0: it is a plane.
  double radius_m = 0;

  bool Has(Layer layer) const;

  // Spacing of a level's vertices in metres.
  double CellSizeM(int level) const;
};

// What came of creating a world.
struct CreatedWorld {
  WorldInfo world;
  // Whether it was not there before.
  bool is_new = false;
};

// What came of deleting a world.
struct DeletedWorld {
  // Not while others who created it have a claim on it.
  bool is_gone = false;
};

}  // namespace thalweg
