#include "server/tiles3d/normals.h"

#include <cmath>
#include <cstddef>

#include "proto/picture/light.h"
#include "proto/wire/status_macros.h"
#include "server/geographic/vectors.h"
#include "server/raster/compass.h"
#include "server/tiles3d/ground.h"

namespace thalweg::tiles3d {
namespace {

// Turns a normal from east, south and up at a place of the ellipsoid, whose normal is `up`, to
// space. At a pole east is that of longitude 0, as in Compass.
sphere::Point InSpace(const picture::UnitNormal& normal, const sphere::Point& up) {
  const double across = std::hypot(up.x, up.y);
  const sphere::Point east =
      across > 0 ? sphere::Point{-up.y / across, up.x / across, 0} : sphere::Point{0, 1, 0};
  const sphere::Point south = geographic::Cross(east, up);
  return geographic::Sum(
      geographic::Scaled(up, static_cast<double>(normal.up)),
      geographic::Sum(geographic::Scaled(east, static_cast<double>(normal.east)),
                      geographic::Scaled(south, static_cast<double>(normal.south))));
}

}  // namespace

absl::StatusOr<std::vector<sphere::Point>> NormalsOf(const raster::RasterQuery& query,
                                                     const raster::Grid& grid) {
  THALWEG_ASSIGN_OR_RETURN(const auto packed, raster::ValuesOf(grid, v1::LAYER_NORMAL));
  std::span<const std::int32_t> depths;
  if (const auto found = grid.layers.find(v1::LAYER_WATER_DEPTH); found != grid.layers.end()) {
    depths = found->second;
  }
  const raster::Compass compass(query);
  std::vector<sphere::Point> normals;
  normals.reserve(packed.size());
  for (std::size_t n = 0; n < packed.size(); ++n) {
    const int column = static_cast<int>(n) % grid.size;
    const int row = static_cast<int>(n) / grid.size;
    const sphere::Point up = DirectionOf(query.tile_query.key, column, row);
    const bool wet = !depths.empty() && depths[n] > 0;
    normals.push_back(wet ? up
                          : InSpace(compass.Turned(picture::NormalOf(packed[n]), column, row), up));
  }
  return normals;
}

}  // namespace thalweg::tiles3d
