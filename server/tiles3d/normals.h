// The normals of a tile's ground, in space.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/sphere/cube_sphere.h"
#include "server/raster/grid.h"
#include "server/raster/raster_query.h"

namespace thalweg::tiles3d {

// 257 x 257 unit normals along the axes of sphere::Point, from a tile's grid with LAYER_NORMAL;
// they point up where water stands. DATA_LOSS if the grid lacks the layer.
absl::StatusOr<std::vector<sphere::Point>> NormalsOf(const raster::RasterQuery& query,
                                                     const raster::Grid& grid);

}  // namespace thalweg::tiles3d
