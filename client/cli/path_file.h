// Files of paths over planets: CSV with a point in each line, seconds,latitude,longitude,height_m.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "client/cli/planet_path.h"

namespace thalweg::cli {

// Parses a file's text. Empty lines and lines that begin with # are skipped. INVALID_ARGUMENT,
// naming the file and the line, for what is not a path.
absl::StatusOr<PlanetPath> ParsePath(const std::string& text, const std::string& file);

// Reads a file, or the standard input for "-". The system's error if it can't be read.
absl::StatusOr<PlanetPath> ReadPath(const std::string& file);

}  // namespace thalweg::cli
