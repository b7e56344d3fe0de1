// Valid worlds at the limits of their fields. Numbers and messages are found by reflection, so new
// fields need no code.
#pragma once

#include <cstdint>
#include <memory>

#include "server/world/world.h"
#include "tests/parity/random_world.h"

namespace thalweg::parity {

// A plane or a planet with at most `max_levels` levels, each of whose blocks costs at most
// `max_cells` (world::LevelCosts). It is made by many random changes, each of which sets a field to
// an end of its range, or somewhere between; changes that World::Create refuses are taken back.
std::shared_ptr<const world::World> WorldAtLimits(Random& random, int max_levels,
                                                  std::int64_t max_cells);

}  // namespace thalweg::parity
