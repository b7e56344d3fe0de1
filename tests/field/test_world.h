// Small worlds for tests of what surrounds the erosion.
#pragma once

#include <cstdint>
#include <memory>

#include "server/world/world.h"

namespace thalweg::field {

// A world with a number of levels, each with one short stage. Its seed_low is the seed.
std::shared_ptr<const world::World> TestWorld(int levels = 6, std::uint32_t seed = 1);

// One of few levels, with a sea, pools and rivers: it has water.
std::shared_ptr<const world::World> WaterWorld();

}  // namespace thalweg::field
