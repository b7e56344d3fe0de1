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

// Fetches what this shard has of each level, coarse ones first, since finer ones are computed from
// them; how many parts these are.
absl::StatusOr<std::size_t> FetchLevels(const Baking& baking, const std::vector<BakedLevel>& levels,
                                        bool json);

// Tells by a few parts what the whole would take. They stay.
absl::StatusOr<std::string> Plan(const Baking& baking, const bake::PartStore& store, bool json);

// Who begins a bake of more than an hour is told so by its first parts.
absl::Status WarnOfAnHour(const Baking& baking, const bake::PartStore& store, bool json);

// Computes some of the finished parts again, others each time it runs, and gives what to print.
absl::StatusOr<std::string> Verify(const Baking& baking, const BakedLevel& level, bool json);

}  // namespace thalweg::cli
