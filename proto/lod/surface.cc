#include "proto/lod/surface.h"

#include <algorithm>
#include <cmath>

#include "proto/lod/cube_sphere.h"
#include "proto/lod/tile_box.h"
#include "proto/lod/tile_tree.h"

namespace thalweg::lod {

wire::Shape ShapeOf(const Grid& grid) {
  return grid.radius_m > 0 ? wire::Shape::kSphere : wire::Shape::kPlane;
}

double CellSizeM(const Grid& grid, int level) { return std::ldexp(grid.cell_size_m, -level); }

double TileSizeM(const Grid& grid, int level) { return CellSizeM(grid, level) * wire::kTileCells; }

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

using wire::TileKey;

Touching Plane::TouchingOf(const TileKey& key) const { return SquaresAround(key); }

CoarserAround Plane::ParentsAround(const TileKey& key) const { return ParentSquaresAround(key); }

std::vector<TileKey> Plane::RootsWithin(const Vector& point, double distance_m) const {
  const double side = TileSizeM(grid(), 0);
  const auto tile_at = [&](double metres) {
    constexpr std::int64_t kEnd = wire::kMaxVertex / wire::kTileCells;
    constexpr auto kMax = static_cast<double>(kEnd);
    return static_cast<std::int64_t>(std::clamp(std::floor(metres / side), -kMax, kMax - 1));
  };
  std::vector<TileKey> roots;
  const std::int64_t last_x = tile_at(point.x + distance_m);
  const std::int64_t last_y = tile_at(point.y + distance_m);
  for (std::int64_t y = tile_at(point.y - distance_m); y <= last_y; ++y) {
    for (std::int64_t x = tile_at(point.x - distance_m); x <= last_x; ++x) {
      const TileKey root{.level = 0, .x = x, .y = y};
      if (HorizontalDistanceTo(BoxOf(grid(), root, 0, 0), point) <= distance_m) {
        roots.push_back(root);
      }
    }
  }
  return roots;
}

Vector Plane::UpAt(const Vector& /*point*/) const { return {0, 0, 1}; }

Vector Plane::NorthAt(const Vector& /*point*/) const { return {0, -1, 0}; }

double Plane::HeightOf(const Vector& point) const { return point.z; }

Place Plane::PlaceUnder(const Vector& point) const {
  const double side = TileSizeM(grid(), 0);
  return {0, point.x / side, point.y / side};
}

Vector Plane::PointOver(const Place& place, double height_m) const {
  const double side = TileSizeM(grid(), 0);
  return {place.x * side, place.y * side, height_m};
}

Sight Plane::SightOf(const TileKey& key, const Heights& heights, const Viewer& viewer) const {
  const Box box = BoxOf(grid(), key, heights.min_m, heights.max_m);
  return {.distance_m = DistanceTo(box, viewer.position),
          .horizontal_m = HorizontalDistanceTo(box, viewer.position),
          .may_show = viewer.frustum.MayShow(BallOf(box))};
}

}  // namespace thalweg::lod
