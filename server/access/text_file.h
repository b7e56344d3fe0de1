// Reads whole files.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace thalweg::access {

// The bytes of a file of at most a mebibyte. NOT_FOUND, PERMISSION_DENIED or another error of the
// system, with the path.
absl::StatusOr<std::string> ReadTextFile(const std::string& path);

}  // namespace thalweg::access
