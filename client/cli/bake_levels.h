// The levels of a bake.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/cli/bake_raster.h"
#include "proto/bake/bake_plan.h"
#include "proto/bake/part_store.h"

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

}  // namespace thalweg::cli
