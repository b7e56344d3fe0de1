// Reads a folder of worlds that an operator provides.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/world/elevation.h"
#include "server/world/world.h"

namespace thalweg::world {

// Elevation files in a folder, by their hashes.

// Returns a function that finds files in the folder by hash. It may be called by any thread and
// waits for the disk; a file in use is not read again. NOT_FOUND names a missing file, DATA_LOSS
// one that is damaged or does not match its name.
FindElevation ElevationsOf(const std::filesystem::path& folder);

// A file of the folder, with its world or its error.
struct WorldFile {
  std::string file_name;
  absl::StatusOr<std::shared_ptr<const World>> world;
};

// Reads every *.json and *.textproto of a folder, ordered by file name; a file's stem has no
// meaning. A file that can't be read or is not a valid world has its error. NOT_FOUND or
// PERMISSION_DENIED if the folder can't be read. `find` finds real land.
absl::StatusOr<std::vector<WorldFile>> ReadWorldFolder(const std::filesystem::path& folder,
                                                       const FindElevation& find);

}  // namespace thalweg::world
