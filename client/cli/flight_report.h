// What a flight saw, as text and as a picture.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "client/cli/flight.h"

namespace thalweg::cli {

// Writes a picture of the ground around the way, seen from above, as PNG.
absl::Status WriteFlightPicture(const TerrainView& view, const FlightReport& report,
                                const std::string& path);

}  // namespace thalweg::cli
