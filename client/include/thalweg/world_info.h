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

// A square of ground that is typical of a world, in metres.
struct Showplace {
  // Its middle on a plane.
  double east_m = 0;
  double south_m = 0;
  double side_m = 0;
  // Its middle on a planet.
  LatLong place = {};
};

// Where a world lies on the Earth: the coordinates of its vertex (0, 0) in a coordinate reference
// system in metres.
struct Georeference {
  // An authority's code, "EPSG:32611", or WKT in one line.
  std::string crs;
  double east = 0;
  double north = 0;
};

// A world.
struct THALWEG_API WorldInfo {
  std::string name;
  // One line for people; may be empty.
  std::string description;
  // 32 lower-case hexadecimal digits. Equal ids mean equal terrain, bit for bit.
  std::string id;
  std::uint64_t seed = 0;
  std::uint32_t generator_version = 0;
  // Spacing of level 0's vertices in metres; it halves with each level.
  double cell_size_m = 0;
  // The levels are 0, which is the coarsest, to levels - 1.
  int levels = 0;
  // Absent: the world has no sea.
  std::optional<double> sea_level_m;
  // For each level, the smallest angle of repose among its stages, in degrees. Absent where no
  // stage has one.
  std::vector<std::optional<double>> talus_deg = {};
  // The layers that the world has.
  std::vector<Layer> layers;
  // Vertices of every level reach from -max_vertex to max_vertex.
  std::int64_t max_vertex = 0;
  // The whole specification as one line of JSON, as CreateWorld and folders of worlds take it.
  std::string specification = {};
  Showplace showplace = {};
  // Absent: the world does not lie on the Earth.
  std::optional<Georeference> georeference = {};
  // The planet's radius in metres; 0 for a plane.
  double radius_m = 0;
  // What it costs the server to compute a block of 256 x 256 cells of each level whose parent it
  // has kept, estimated: about 65,536 cells for a common level. A token's cells_per_s are of this
  // unit. A tile that the server must compute costs its own block and those of its ancestors that
  // are not kept. Empty if the server does not say.
  std::vector<std::int64_t> level_costs = {};

  // Whether the world has the layer.
  bool Has(Layer layer) const;

  // Returns the spacing of a level's vertices in metres.
  double CellSizeM(int level) const;
};

struct CreateWorldOptions {
  // Whether the server keeps the world, also when it restarts.
  bool keep = false;
  // Whether it may take the place of a world with its name and other terrain, which this caller
  // created and nobody else uses.
  bool replace = false;
};

// The result of CreateWorld.
struct CreatedWorld {
  WorldInfo world;
  // Whether the server had no world of this name with this terrain before.
  bool is_new = false;
  // Whether the world took the place of one with its name.
  bool has_replaced = false;
  // What its author may not have meant, with the field's path.
  std::vector<std::string> warnings = {};
};

// The result of DeleteWorld.
struct DeletedWorld {
  // Whether the world was removed. False while other callers have a claim on it.
  bool is_gone = false;
};

}  // namespace thalweg
