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

// Two levels: plain noise, and a child that does nothing but rain for so many steps.
std::shared_ptr<const world::World> RainWorld(int steps);

// Asks and waits; ends the program on an error.
field::TileValues FetchTile(field::Field& field, const field::TileRequest& request);

// The height of tile (3, 2) of a level of a built-in world.
field::TileRequest SampleRequest(const std::string& preset, int level);

}  // namespace thalweg::bench
