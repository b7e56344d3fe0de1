// Elevation files in a folder, by their hashes.
#pragma once

#include <filesystem>

#include "server/world/elevation.h"

namespace thalweg::world {

// Returns a function that finds files in the folder by hash. It may be called by any thread and
// waits for the disk; a file in use is not read again. NOT_FOUND names a missing file, DATA_LOSS
// one that is damaged or does not match its name.
FindElevation ElevationsOf(const std::filesystem::path& folder);

}  // namespace thalweg::world
