// A small planet for tests of what surrounds the erosion.
#pragma once

#include <memory>

#include "server/world/world.h"

namespace thalweg::tile {

inline constexpr double kPlanetRadiusM = 6'371'000;

// With a number of levels, each with one short stage.
std::shared_ptr<const world::World> PlanetWorld(int levels = 12);

}  // namespace thalweg::tile
