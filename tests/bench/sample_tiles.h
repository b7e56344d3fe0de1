// Terrain for measurements.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "server/backend/backend.h"
#include "server/field/field.h"
#include "server/world/world.h"

namespace thalweg::bench {

// The preset with this name. Ends the program if there is none.
std::shared_ptr<const world::World> Preset(const std::string& name);

// Two levels: plain noise, and a level with droplets of this many steps and, if not 0, this many
// thermal iterations.
std::shared_ptr<const world::World> RainWorld(int steps, int thermal_iterations = 0);

// Requests a tile and waits for it. Ends the program on an error.
field::TileValues FetchTile(field::Field& field, const field::TileRequest& request);

// A request for the height of tile (3, 2) of a preset's level.
field::TileRequest SampleRequest(const std::string& preset, int level);

}  // namespace thalweg::bench
