// Reads whole files.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace thalweg::access {

// The bytes of a file of at most a mebibyte, or of a pipe, for which it waits. NOT_FOUND,
// PERMISSION_DENIED or another error of the system, with the path.
absl::StatusOr<std::string> ReadTextFile(const std::string& path);

// As ReadTextFile, but of regular files only: INVALID_ARGUMENT for pipes, folders and devices. It
// waits for a disk or a mount, and for no other process.
absl::StatusOr<std::string> ReadRegularFile(const std::string& path);

}  // namespace thalweg::access
