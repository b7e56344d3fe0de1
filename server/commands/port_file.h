// A file from which scripts read the port of a server that picked its own.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace thalweg::commands {

// Writes the number and a line's end to a file that appears whole or not at all.
absl::Status WritePortFile(const std::string& path, int port);

}  // namespace thalweg::commands
