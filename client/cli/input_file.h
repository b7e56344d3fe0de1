// Reads whole files.
#pragma once

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"

namespace thalweg::cli {

// The bytes of a file, or of the standard input for "-". The system's error, with the path, when it
// can't be read; INVALID_ARGUMENT for more than max_bytes.
absl::StatusOr<std::string> ReadInputFile(const std::string& path, std::size_t max_bytes);

}  // namespace thalweg::cli
