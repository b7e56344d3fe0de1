// Which tiles a region needs, and which of their vertices go where.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thalweg/region.h"
#include "thalweg/tile.h"

namespace thalweg {

// The fewest tiles that hold every vertex of the region. INVALID_ARGUMENT if a side is not 1 to
// kMaxRegionSide or a layer is asked for twice or none at all; OUT_OF_RANGE if the region ends
// beyond what 64 bits hold. The server checks whether the world reaches that far.
absl::StatusOr<TileRectangle> PlanRegion(const RegionRequest& request);

// A region of the request's shape, its values zero.
Region EmptyRegion(const RegionRequest& request);

// Copies the vertices that the tile shares with the region. The tile must be one of the region's
// plan and have its layers in its order.
void CopyTile(const Tile& tile, Region& region);

}  // namespace thalweg
