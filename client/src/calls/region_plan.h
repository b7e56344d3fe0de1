// Which tiles a region needs, and where their vertices go.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thalweg/region.h"
#include "thalweg/tile.h"

namespace thalweg {

// Returns the smallest rectangle of tiles that has every vertex of the region. INVALID_ARGUMENT if
// a side is not 1 to kMaxRegionSide, or for no layer or a layer twice; OUT_OF_RANGE if the region
// ends beyond what 64 bits hold. The server checks whether the world reaches that far.
absl::StatusOr<TileRectangle> PlanRegion(const RegionRequest& request);

// Returns a region of the request's shape, with values of zero.
Region EmptyRegion(const RegionRequest& request);

// Copies the vertices that the tile shares with the region. The tile must be one of the region's
// plan, with the same layers in the same order.
void CopyTile(const Tile& tile, Region& region);

}  // namespace thalweg
