// Terrain to measure with.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "server/backend/backend.h"
#include "server/field/field.h"
#include "server/world/world.h"

namespace thalweg::bench {

// A built-in world; ends the program when there is none of that name.
std::shared_ptr<const world::World> Preset(const std::string& name);

// Two levels: plain noise, and a child with droplets of so many steps and, if any, so many thermal
// iterations.
std::shared_ptr<const world::World> RainWorld(int steps, int thermal_iterations = 0);

// Asks and waits; ends the program on an error.
field::TileValues FetchTile(field::Field& field, const field::TileRequest& request);

// The height of tile (3, 2) of a level of a built-in world.
field::TileRequest SampleRequest(const std::string& preset, int level);

}  // namespace thalweg::bench
