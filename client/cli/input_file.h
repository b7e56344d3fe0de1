// Reads whole files.
#pragma once

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"

namespace thalweg::cli {

// Returns the bytes of a file, or of the standard input for "-". The system's error, with the path,
// if it can't be read; INVALID_ARGUMENT if it has more than max_bytes.
absl::StatusOr<std::string> ReadInputFile(const std::string& path, std::size_t max_bytes);

}  // namespace thalweg::cli
