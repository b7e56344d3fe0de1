#include "server/tiles3d/ground.h"

#include "proto/sphere/cube_faces.h"
#include "server/geographic/face_samples.h"

namespace thalweg::tiles3d {

sphere::Point DirectionOf(const wire::TileKey& key, int column, int row) {
  const std::int64_t cells = std::int64_t{wire::kTileCells} << key.level;
  sphere::Vertex vertex{.face = key.face,
                        .x = key.x * wire::kTileCells + column,
                        .y = key.y * wire::kTileCells + row};
  const auto on_edge = [cells](std::int64_t at) { return at == 0 || at == cells; };
  if (on_edge(vertex.x) || on_edge(vertex.y)) vertex = sphere::OwnerOf(vertex, cells);
  const auto side = static_cast<double>(cells);
  return sphere::PointOf(sphere::FacePlace{.face = vertex.face,
                                           .x = static_cast<double>(vertex.x) / side,
                                           .y = static_cast<double>(vertex.y) / side});
}

v1::Layer SurfaceOf(const world::World& world) {
  return geographic::HasWater(world) ? v1::LAYER_WATER_LEVEL : v1::LAYER_HEIGHT;
}

}  // namespace thalweg::tiles3d
