// What a bake writes.
#pragma once

#include <cstddef>
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

// Writes the files of a layer, with their sidecar, from parts in the order of rows, which must be
// in the store; gives their names.
absl::StatusOr<std::vector<std::string>> WriteLayer(const Baking& baking,
                                                    const bake::PartStore& store,
                                                    const std::vector<bake::Part>& parts,
                                                    std::size_t plane);

}  // namespace thalweg::cli
