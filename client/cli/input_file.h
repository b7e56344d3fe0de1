// Reads whole files.
#pragma once

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"

namespace thalweg::cli {

// The bytes of a file, or of the standard input for "-". What the system says, with the path, when
// it can't be read; INVALID_ARGUMENT beyond so many bytes.
absl::StatusOr<std::string> ReadInputFile(const std::string& path, std::size_t max_bytes);

}  // namespace thalweg::cli
