#include "client/cli/bake_grids.h"

#include <algorithm>
#include <cstddef>

#include "client/bake/part_region.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {

absl::StatusOr<BakedGrids> ReadGrids(const BakedLevel& level, const std::vector<Layer>& layers) {
  const bake::Area& area = level.area;
  BakedGrids grids(layers.size(), survey::FilledGrid(static_cast<int>(area.width),
                                                     static_cast<int>(area.height), 0));
  for (const bake::Part& part : level.parts) {
    THALWEG_ASSIGN_OR_RETURN(const Region region, bake::ReadRegion(level.store, part));
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
      const auto row_values = static_cast<std::ptrdiff_t>(region.width);
      for (int row = 0; row < region.height; ++row) {
        std::copy_n(region.planes[layer].values.begin() + row * row_values, row_values,
                    &grids[layer].At(static_cast<int>(region.x0 - area.x0),
                                     static_cast<int>(region.y0 - area.y0) + row));
      }
    }
  }
  return grids;
}

}  // namespace thalweg::cli
