#include "client/cli/bake_levels.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/bake/part_region.h"
#include "client/cli/bake_format.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

using bake::Area;
using bake::Part;
using bake::PartStore;

std::vector<Area> AreasOf(const Baking& baking) {
  const BakeFormat& format = *baking.arguments.format;
  return format.areas == nullptr ? std::vector{baking.area} : format.areas(baking);
}

}  // namespace

std::vector<Part> InRows(std::vector<Part> parts) {
  std::ranges::sort(parts, {}, [](const Part& part) { return std::pair{part.y, part.x}; });
  return parts;
}

absl::StatusOr<std::vector<BakedLevel>> OpenLevels(const Baking& baking) {
  std::vector<BakedLevel> levels;
  for (const Area& area : AreasOf(baking)) {
    std::string folder = baking.arguments.out + ".bake";
    if (area.level != baking.area.level) absl::StrAppend(&folder, "/level-", area.level);
    THALWEG_ASSIGN_OR_RETURN(
        PartStore store,
        PartStore::Open(folder, {.world_id = baking.world.id,
                                 .generator_version = baking.world.generator_version,
                                 .area = area,
                                 .layers = bake::NumbersOf(baking.arguments.layers),
                                 .world = bake::ToManifest(baking.world)}));
    levels.push_back({area, std::move(store), InRows(bake::PartsOf(area))});
  }
  return levels;
}

BakedLevel LevelOf(PartStore store) {
  const Area area = store.manifest().area;
  return {area, std::move(store), InRows(bake::PartsOf(area))};
}

absl::Status CheckComplete(const std::vector<BakedLevel>& levels) {
  std::size_t missing = 0;
  std::size_t all = 0;
  for (const BakedLevel& level : levels) {
    all += level.parts.size();
    missing += static_cast<std::size_t>(std::ranges::count_if(
        level.parts, [&](const Part& part) { return !level.store.Has(part); }));
  }
  if (missing == 0) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "invalid folder '", levels.front().store.folder(), "': expected ", all, " parts, got ",
      all - missing, ": run the same bake again, or those of its shards that have not finished"));
}

absl::Status RemoveParts(const std::vector<BakedLevel>& levels) {
  // From coarse to fine, so that the first level's folder, which has the others in it, comes last.
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    THALWEG_RETURN_IF_ERROR(level->store.Remove(level->parts));
  }
  return absl::OkStatus();
}

}  // namespace thalweg::cli
