// The files of created worlds that callers asked to keep.
#pragma once

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "server/world/world.h"

namespace thalweg::world {

// NAME.created.json: distinguishes files that a server wrote, and may delete, from the operator's.
std::string KeptFileName(const std::string& world_name);
bool IsKeptFile(const std::string& file_name);

// Writes a world's specification to a new file. The file gets its name only when it is complete and
// on the disk. ALREADY_EXISTS if a file of that name exists, else the system's error.
absl::Status WriteKeptWorld(const std::filesystem::path& folder, const World& world);

// Removes what servers that died while they wrote kept worlds have left.
void RemoveAbandonedWorlds(const std::filesystem::path& folder);

// Deletes the file of a kept world, also on the disk; a missing file is not an error.
absl::Status DeleteKeptWorld(const std::filesystem::path& folder, const std::string& file_name);

}  // namespace thalweg::world
