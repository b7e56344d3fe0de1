// The files that a bake writes.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/cli/bake_levels.h"
#include "client/cli/bake_raster.h"

namespace thalweg::cli {

// Fails now, not after an hour's work, if the format or the place of the rasters can't be written.
absl::Status CheckRasters(const Baking& baking);

// Writes the files of all layers, with their sidecars, reading each part once, or twice where a
// range must be found first. The parts are in the stores. Returns the files' names.
absl::StatusOr<std::vector<std::string>> WriteFiles(const Baking& baking,
                                                    const std::vector<BakedLevel>& levels);

}  // namespace thalweg::cli
