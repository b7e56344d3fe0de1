// A file that shows scripts the port that a server picked.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace thalweg::commands {

// Writes the number and a line end. The file appears whole or not at all.
absl::Status WritePortFile(const std::string& path, int port);

}  // namespace thalweg::commands
