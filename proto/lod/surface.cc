#include "proto/lod/surface.h"

#include <cmath>

#include "proto/lod/cube_sphere.h"
#include "proto/lod/plane.h"

namespace thalweg::lod {

Place PlaceOf(const wire::TileKey& key, int column, int row) {
  const auto part = [&key](std::int64_t tile, int vertex) {
    return std::ldexp(static_cast<double>(tile * wire::kTileCells + vertex),
                      -key.level - wire::kTileBits);
  };
  return {key.face, part(key.x, column), part(key.y, row)};
}

std::unique_ptr<const Surface> SurfaceOf(const Grid& grid) {
  if (ShapeOf(grid) == wire::Shape::kSphere) return std::make_unique<CubeSphere>(grid);
  return std::make_unique<Plane>(grid);
}

Viewer ViewerOf(const View& view, const Surface& surface, std::optional<double> lowest_m) {
  const Vector& position = view.position;
  return {position, Frustum(view, surface.UpAt(position), surface.NorthAt(position)), lowest_m};
}

}  // namespace thalweg::lod
