// The files of created worlds that are kept.
#pragma once

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "server/world/world.h"

namespace thalweg::world {

// NAME.created.json: what tells the files that a server wrote, and may delete, from its owner's.
std::string KeptFileName(const std::string& world_name);
bool IsKeptFile(const std::string& file_name);

// Writes a world's specification to a new file, which has its name only when it is complete and on
// the disk. ALREADY_EXISTS when a file of that name is there, else what the system says.
absl::Status WriteKeptWorld(const std::filesystem::path& folder, const World& world);

// Deletes such a file; one that is not there is no error.
absl::Status DeleteKeptWorld(const std::filesystem::path& folder, const std::string& file_name);

}  // namespace thalweg::world
