// The files of created worlds that are kept.
#pragma once

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "server/world/world.h"

namespace thalweg::world {

// NAME.created.json distinguishes files that a server wrote, and may delete, from the operator's.
std::string KeptFileName(const std::string& world_name);
bool IsKeptFile(const std::string& file_name);

// Writes a world's specification to a new file, which has its name only when it is complete and on
// the disk. ALREADY_EXISTS when a file of that name exists, else the system's error.
absl::Status WriteKeptWorld(const std::filesystem::path& folder, const World& world);

// Deletes such a file; a missing one is no error.
absl::Status DeleteKeptWorld(const std::filesystem::path& folder, const std::string& file_name);

}  // namespace thalweg::world
