// Elevation files in a folder, by their hashes.
#pragma once

#include <filesystem>

#include "server/world/elevation.h"

namespace thalweg::world {

// Reads the files of a folder that worlds ask for; what is still in use is not read again. It may
// be called by any thread, and waits for the disk. NOT_FOUND tells which file is missing, DATA_LOSS
// that one is damaged or another one than its name says.
FindElevation ElevationsOf(const std::filesystem::path& folder);

}  // namespace thalweg::world
