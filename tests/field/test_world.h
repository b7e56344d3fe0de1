// Small worlds for tests of everything except the stages.
#pragma once

#include <cstdint>
#include <memory>

#include "server/world/world.h"

namespace thalweg::field {

// A world with this many levels, each with one short stage. Its seed_low is the seed.
std::shared_ptr<const world::World> TestWorld(int levels = 6, std::uint32_t seed = 1);

// TestWorld with so much to do that each block costs more than its area.
std::shared_ptr<const world::World> CostlyWorld();

// A world of few levels with water: a sea, pools and rivers.
std::shared_ptr<const world::World> WaterWorld();

}  // namespace thalweg::field
