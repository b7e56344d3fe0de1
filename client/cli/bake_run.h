// The work of a bake: its parts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/cli/bake_levels.h"
#include "client/cli/bake_raster.h"

namespace thalweg::cli {

// Fetches this shard's parts of each level and returns their number. Coarse levels come first,
// because finer ones are computed from them.
absl::StatusOr<std::size_t> FetchLevels(const Baking& baking, const std::vector<BakedLevel>& levels,
                                        bool json);

// Bakes a few parts, which are kept, and returns an estimate of the whole bake.
absl::StatusOr<std::string> Plan(const Baking& baking, const bake::PartStore& store, bool json);

// Prints a warning if the first parts show that the bake takes more than an hour.
absl::Status WarnOfAnHour(const Baking& baking, const bake::PartStore& store, bool json);

// Computes some finished parts again, others in each run, and returns the text to print.
absl::StatusOr<std::string> Verify(const Baking& baking, const BakedLevel& level, bool json);

}  // namespace thalweg::cli
