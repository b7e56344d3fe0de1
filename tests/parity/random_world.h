// Random but valid terrain, from only a seed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "server/world/level_program.h"
#include "server/world/world.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::parity {

using Random = std::mt19937_64;

// Every kind of stage with random parameters, each after the stages that write what it reads.
// Droplets make at most `max_steps` steps.
std::vector<std::vector<v1::Stage>> EveryKind(Random& random, int max_steps);
v1::Stage RandomDroplet(Random& random, int max_steps);
v1::Stage RandomThermal(Random& random);
v1::Stage RandomRebound(Random& random);
v1::Stage RandomPools(Random& random);
v1::Stage RandomRivers(Random& random);
v1::Stage RandomGround(Random& random);

// The stages in one line, for messages.
std::string TextOf(const std::vector<v1::Stage>& stages);

// A world with this many levels. Each level has one to three random stages, droplets first.
std::shared_ptr<const world::World> RandomWorld(Random& random, int levels, int max_steps);

// A world whose last level has cells of this size, these stages and no detail. It is never level 0.
std::shared_ptr<const world::World> WorldOf(const std::vector<v1::Stage>& stages,
                                            double cell_size_m, std::uint64_t seed,
                                            std::optional<double> sea_level_m = std::nullopt);

// Rough ground: side^2 heights with slopes of about 1 on cells of this size, within the range that
// a base may have (16 km).
std::vector<std::int32_t> RoughGround(Random& random, int side, double cell_size_m);

}  // namespace thalweg::parity
