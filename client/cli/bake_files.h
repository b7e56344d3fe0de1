// The files that a bake writes.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/cli/bake_levels.h"
#include "client/cli/bake_raster.h"

namespace thalweg::cli {

// Fails at once, not after an hour's work, if the rasters can't be written in this format or place.
absl::Status CheckRasters(const Baking& baking);

// Writes the files of all layers, with their sidecars. Reads each part once, or twice where it must
// find a range first. The stores must have all parts. Returns the files' names.
absl::StatusOr<std::vector<std::string>> WriteFiles(const Baking& baking,
                                                    const std::vector<BakedLevel>& levels);

}  // namespace thalweg::cli
