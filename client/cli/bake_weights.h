// The weights of the cover's classes, in files for engines.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/cli/bake_raster.h"
#include "proto/bake/bake_plan.h"
#include "proto/bake/part_store.h"

namespace thalweg::cli {

// Writes the files of the classes and a sidecar that names their channels, from parts whose only
// layer is the cover. Returns the files' names.
absl::StatusOr<std::vector<std::string>> WriteWeights(const Baking& baking,
                                                      const bake::PartStore& store,
                                                      const std::vector<bake::Part>& parts);

}  // namespace thalweg::cli
