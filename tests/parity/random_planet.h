// Random but valid planets, from only a seed.
#pragma once

#include <memory>

#include "server/world/world.h"
#include "tests/parity/random_world.h"

namespace thalweg::parity {

// A planet of any size with a number of levels of every stage that runs on a sphere, with random
// parameters.
std::shared_ptr<const world::World> RandomPlanet(Random& random, int levels);

// Thermal erosion of slopes over 1 to 3 degrees. A planet's cells are large, and its slopes gentle:
// at the angles of a plane's worlds nothing would slide.
v1::Stage GentleThermal(Random& random);

}  // namespace thalweg::parity
