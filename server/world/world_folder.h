// A folder of worlds that a user gives.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/world/world.h"

namespace thalweg::world {

// A file of the folder, with its world or error.
struct WorldFile {
  std::string file_name;
  absl::StatusOr<std::shared_ptr<const World>> world;
};

// Reads every *.json and *.textproto of a folder, ordered by file name; a file's stem has no
// meaning. Files that can't be read or are no worlds carry their errors. NOT_FOUND or
// PERMISSION_DENIED when the folder can't be read at all. find: real land.
absl::StatusOr<std::vector<WorldFile>> ReadWorldFolder(const std::filesystem::path& folder,
                                                       const FindElevation& find);

}  // namespace thalweg::world
