// The levels of a bake: the folders of their parts, and the work on these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/tools/cli/bake_files.h"
#include "client/tools/survey/grid.h"
#include "proto/bake/bake_plan.h"
#include "proto/bake/part_store.h"
#include "thalweg/layer.h"

namespace thalweg::cli {

// A level and the folder of its parts.
struct BakedLevel {
  bake::Area area;
  bake::PartStore store;
  // The parts of the whole area, in the order of rows, so that a file's tiles are written once.
  std::vector<bake::Part> parts;
};

// Opens the bake's own level first, in FILE.bake; then the coarser levels of its pyramid, each in a
// folder within it. Continues with existing parts.
absl::StatusOr<std::vector<BakedLevel>> OpenLevels(const Baking& baking);

// Sorts parts into the order of rows, so that a file's tiles are written once.
std::vector<bake::Part> InRows(std::vector<bake::Part> parts);

// Returns the parts in a folder as a level.
BakedLevel LevelOf(bake::PartStore store);

// FAILED_PRECONDITION if parts are missing.
absl::Status CheckComplete(const std::vector<BakedLevel>& levels);

absl::Status RemoveParts(const std::vector<BakedLevel>& levels);

using BakedGrids = std::vector<survey::Grid<std::int32_t>>;

// Returns the values of the first `layers` layers of the parts for an area of the level.
absl::StatusOr<BakedGrids> ReadArea(const BakedLevel& level, const bake::Area& area,
                                    std::size_t layers);

// Returns each layer's values for the whole area. The parts must have these layers.
absl::StatusOr<BakedGrids> ReadGrids(const BakedLevel& level, const std::vector<Layer>& layers);

// Fetches this shard's parts of each level and returns their number. Coarse levels come first,
// because finer ones are computed from them.
absl::StatusOr<std::size_t> FetchLevels(const Baking& baking, const std::vector<BakedLevel>& levels,
                                        bool json);

// Bakes a few parts, which are kept, and returns an estimate of the whole bake.
absl::StatusOr<std::string> EstimateBake(const Baking& baking, const bake::PartStore& store,
                                         bool json);

// Prints a warning if the first parts show that the bake takes more than an hour.
absl::Status WarnOfAnHour(const Baking& baking, const bake::PartStore& store, bool json);

// Computes some finished parts again, others in each run, and returns the text to print.
absl::StatusOr<std::string> Verify(const Baking& baking, const BakedLevel& level, bool json);

}  // namespace thalweg::cli
