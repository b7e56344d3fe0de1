// The worlds that are part of the program: server/world/presets/*.json.
#pragma once

#include <memory>
#include <vector>

#include "server/world/world.h"

namespace thalweg::world {

// Every built-in world, ordered by name.
std::vector<std::shared_ptr<const World>> PresetWorlds();

}  // namespace thalweg::world
