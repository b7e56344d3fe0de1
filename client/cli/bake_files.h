// What a bake writes.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/bake/bake_plan.h"
#include "client/bake/part_store.h"
#include "client/cli/bake_raster.h"

namespace thalweg::cli {

// Fails now, not after an hour's work, if the format or the place of the rasters can't be written.
absl::Status CheckRasters(const Baking& baking);

// Writes the files of all layers, with their sidecars, reading each part once, or twice where a
// range must be found first. The parts are in the order of rows, and in the store. Gives the files'
// names.
absl::StatusOr<std::vector<std::string>> WriteFiles(const Baking& baking,
                                                    const bake::PartStore& store,
                                                    const std::vector<bake::Part>& parts);

}  // namespace thalweg::cli
