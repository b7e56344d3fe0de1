#include "client/cli/bake_grids.h"

#include <algorithm>
#include <cstddef>

#include "client/bake/part_region.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {

absl::StatusOr<BakedGrids> ReadArea(const BakedLevel& level, const bake::Area& area,
                                    std::size_t layers) {
  BakedGrids grids(
      layers, survey::FilledGrid(static_cast<int>(area.width), static_cast<int>(area.height), 0));
  for (const bake::Part& part : bake::PartsOf(area)) {
    THALWEG_ASSIGN_OR_RETURN(const Region region, bake::ReadRegion(level.store, part));
    // What the part and the area have in common.
    const bake::Area both = bake::Clipped(area, part);
    for (std::size_t layer = 0; layer < layers; ++layer) {
      for (std::int64_t row = 0; row < both.height; ++row) {
        const std::int64_t from = (both.y0 + row - region.y0) * region.width + both.x0 - region.x0;
        std::copy_n(region.planes[layer].values.begin() + from, both.width,
                    &grids[layer].At(static_cast<int>(both.x0 - area.x0),
                                     static_cast<int>(both.y0 + row - area.y0)));
      }
    }
  }
  return grids;
}

absl::StatusOr<BakedGrids> ReadGrids(const BakedLevel& level, const std::vector<Layer>& layers) {
  return ReadArea(level, level.area, layers.size());
}

}  // namespace thalweg::cli
