// The worlds that are part of the program: server/world/presets/*.json.
#pragma once

#include <memory>
#include <vector>

#include "server/world/world.h"

namespace thalweg::world {

// Compiles and returns all presets, ordered by name.
std::vector<std::shared_ptr<const World>> PresetWorlds();

}  // namespace thalweg::world
