// Elevation files in a folder, by their hashes.
#pragma once

#include <filesystem>

#include "server/world/elevation.h"

namespace thalweg::world {

// Reads the folder's files that worlds ask for; a file in use is not read again. Any thread may
// call the result, which waits for the disk. NOT_FOUND names the missing file, DATA_LOSS one that
// is damaged or does not match its name.
FindElevation ElevationsOf(const std::filesystem::path& folder);

}  // namespace thalweg::world
