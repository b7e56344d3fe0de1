// A small planet for tests of everything except the stages.
#pragma once

#include <memory>

#include "server/world/world.h"

namespace thalweg::field {

inline constexpr double kPlanetRadiusM = 6'371'000;

// A planet with this many levels, each with one short stage.
std::shared_ptr<const world::World> PlanetWorld(int levels = 12);

}  // namespace thalweg::field
