#include "proto/geometry/surface.h"

#include <algorithm>
#include <cmath>

#include "proto/geometry/cube_sphere.h"
#include "proto/geometry/tile_box.h"
#include "proto/geometry/tile_tree.h"

namespace thalweg::lod {
namespace {

using sphere::Side;

// The tile at a square. A square one tile beyond a side is a tile of the next face. Beyond two
// sides there is no tile.
TileKey TileAt(const TileKey& square) {
  const std::int64_t tiles = std::int64_t{1} << square.level;
  const bool along_x = square.x < 0 || square.x == tiles;
  const bool along_y = square.y < 0 || square.y == tiles;
  if (!along_x && !along_y) return square;
  if (along_x && along_y) return {.face = kNoFace, .level = square.level};
  const Side side = along_x ? (square.x < 0 ? Side::kWest : Side::kEast)
                            : (square.y < 0 ? Side::kNorth : Side::kSouth);
  // The tile's middle is a vertex of the lattice of half tiles.
  const sphere::Vertex middle = sphere::Across(
      {.face = square.face, .x = 2 * square.x + 1, .y = 2 * square.y + 1}, side, 2 * tiles);
  return {.face = middle.face, .level = square.level, .x = middle.x >> 1, .y = middle.y >> 1};
}

// For every point, even the planet's middle.
sphere::Vector DirectionOf(const sphere::Vector& point) {
  const double length = Length(point);
  return length > 0 ? 1 / length * point : sphere::Vector{0, 0, 1};
}

// The angle at a sphere's middle from a point at `radius_m` to the sphere's horizon, in radians.
// The sphere must not be larger than that radius.
double HorizonAngle(double radius_m, double sphere_m) {
  return std::atan2(std::sqrt((radius_m - sphere_m) * (radius_m + sphere_m)), sphere_m);
}

// Whether a sphere hides a point from a viewer. `angle` is between the two at the sphere's middle,
// in radians.
bool Hides(double sphere_m, double viewer_radius_m, double radius_m, double angle) {
  if (!(sphere_m > 0 && viewer_radius_m > sphere_m)) return false;
  return angle > HorizonAngle(viewer_radius_m, sphere_m) +
                     HorizonAngle(std::max(radius_m, sphere_m), sphere_m);
}

}  // namespace

wire::Shape ShapeOf(const WorldGrid& grid) {
  return grid.radius_m > 0 ? wire::Shape::kSphere : wire::Shape::kPlane;
}

double CellSizeM(const WorldGrid& grid, int level) { return std::ldexp(grid.cell_size_m, -level); }

double TileSizeM(const WorldGrid& grid, int level) {
  return CellSizeM(grid, level) * wire::kTileCells;
}

Place PlaceOf(const wire::TileKey& key, int column, int row) {
  const auto part = [&key](std::int64_t tile, int vertex) {
    return std::ldexp(static_cast<double>(tile * wire::kTileCells + vertex),
                      -key.level - wire::kTileBits);
  };
  return {key.face, part(key.x, column), part(key.y, row)};
}

std::unique_ptr<const Surface> SurfaceOf(const WorldGrid& grid) {
  if (ShapeOf(grid) == wire::Shape::kSphere) return std::make_unique<CubeSphere>(grid);
  return std::make_unique<Plane>(grid);
}

Viewer ViewerOf(const View& view, const Surface& surface, std::optional<double> lowest_m) {
  const sphere::Vector& position = view.position;
  return {position, Frustum(view, surface.UpAt(position), surface.NorthAt(position)), lowest_m};
}

using wire::TileKey;

Touching Plane::TouchingOf(const TileKey& key) const { return SquaresAround(key); }

CoarserAround Plane::ParentsAround(const TileKey& key) const { return ParentSquaresAround(key); }

std::vector<TileKey> Plane::RootsWithin(const sphere::Vector& point, double distance_m) const {
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

sphere::Vector Plane::UpAt(const sphere::Vector& /*point*/) const { return {0, 0, 1}; }

sphere::Vector Plane::NorthAt(const sphere::Vector& /*point*/) const { return {0, -1, 0}; }

double Plane::HeightOf(const sphere::Vector& point) const { return point.z; }

Place Plane::PlaceUnder(const sphere::Vector& point) const {
  const double side = TileSizeM(grid(), 0);
  return {0, point.x / side, point.y / side};
}

sphere::Vector Plane::PointOver(const Place& place, double height_m) const {
  const double side = TileSizeM(grid(), 0);
  return {place.x * side, place.y * side, height_m};
}

Sight Plane::SightOf(const TileKey& key, const Heights& heights, const Viewer& viewer) const {
  const Box box = BoxOf(grid(), key, heights.min_m, heights.max_m);
  return {.distance_m = DistanceTo(box, viewer.position),
          .horizontal_m = HorizontalDistanceTo(box, viewer.position),
          .may_show = viewer.frustum.MayShow(BallOf(box))};
}

TilePatch::TilePatch(const wire::TileKey& key) : face_(key.face) {
  const auto on_cube = [&key](std::int64_t tile) {
    return sphere::ToCube(std::ldexp(static_cast<double>(tile), -key.level));
  };
  west_ = on_cube(key.x);
  east_ = on_cube(key.x + 1);
  north_ = on_cube(key.y);
  south_ = on_cube(key.y + 1);
}

sphere::Vector TilePatch::OnFace(const sphere::Vector& vector) const {
  const sphere::FaceAxes axes = sphere::AxesOf(face_);
  return {Dot(VectorOf(axes.middle), vector), Dot(VectorOf(axes.x), vector),
          Dot(VectorOf(axes.y), vector)};
}

double TilePatch::ChordToEdge(const sphere::Vector& direction, const sphere::Vector& a,
                              const sphere::Vector& b) {
  // The nearest direction on the edge's great circle. It lies on the edge itself if it is between a
  // and b; otherwise the nearest one is a or b.
  const sphere::Vector normal = Cross(a, b);
  const double from_a = Dot(Cross(normal, a), direction);
  const double from_b = Dot(Cross(b, normal), direction);
  if (from_a > 0 && from_b > 0) {
    const sphere::Vector nearest =
        direction - Dot(direction, normal) / Dot(normal, normal) * normal;
    return Length(direction - Unit(nearest));
  }
  return std::min(Length(direction - Unit(a)), Length(direction - Unit(b)));
}

double TilePatch::ChordTo(const sphere::Vector& direction) const {
  const sphere::Vector d = OnFace(direction);
  const bool inside = d.x > 0 && d.y >= west_ * d.x && d.y <= east_ * d.x && d.z >= north_ * d.x &&
                      d.z <= south_ * d.x;
  if (inside) return 0;
  const sphere::Vector north_west{1, west_, north_};
  const sphere::Vector north_east{1, east_, north_};
  const sphere::Vector south_east{1, east_, south_};
  const sphere::Vector south_west{1, west_, south_};
  return std::min({ChordToEdge(d, north_west, north_east), ChordToEdge(d, north_east, south_east),
                   ChordToEdge(d, south_east, south_west), ChordToEdge(d, south_west, north_west)});
}

Ball TilePatch::BallAround(double min_radius_m, double max_radius_m) const {
  const sphere::Vector middle = sphere::Unit({1, 0.5 * (west_ + east_), 0.5 * (north_ + south_)});
  // The direction of the patch that is farthest from its middle is a corner.
  double chord = 0;
  for (const double x : {west_, east_}) {
    for (const double y : {north_, south_}) {
      chord = std::max(chord, Length(sphere::Unit({1, x, y}) - middle));
    }
  }
  // Along the middle's direction a corner is shorter by half the chord's square: 1 - cos a = c^2 /
  // 2, sin^2 a = c^2 - c^4 / 4.
  const double drop = 0.5 * chord * chord;
  const double aside = chord * std::sqrt(1 - 0.25 * chord * chord);
  const double along = 0.5 * (min_radius_m * (1 - drop) + max_radius_m);
  const auto distance = [&](double radius_m) {
    return std::hypot(radius_m - along - radius_m * drop, radius_m * aside);
  };
  const sphere::FaceAxes axes = sphere::AxesOf(face_);
  const sphere::Vector direction =
      middle.x * VectorOf(axes.middle) + middle.y * VectorOf(axes.x) + middle.z * VectorOf(axes.y);
  return {.middle = along * direction,
          .radius_m = std::max({distance(min_radius_m), distance(max_radius_m),
                                max_radius_m - along, along - min_radius_m})};
}

Touching CubeSphere::TouchingOf(const TileKey& key) const {
  Touching touching = SquaresAround(key);
  std::ranges::transform(touching, touching.begin(), &TileAt);
  return touching;
}

CoarserAround CubeSphere::ParentsAround(const TileKey& key) const {
  CoarserAround parents = ParentSquaresAround(key);
  std::ranges::transform(parents, parents.begin(), &TileAt);
  return parents;
}

std::vector<TileKey> CubeSphere::RootsWithin(const sphere::Vector& /*point*/,
                                             double /*distance_m*/) const {
  std::vector<TileKey> roots;
  for (int face = 0; face < sphere::kFaces; ++face) roots.push_back({.face = face});
  return roots;
}

sphere::Vector CubeSphere::UpAt(const sphere::Vector& point) const { return DirectionOf(point); }

sphere::Vector CubeSphere::NorthAt(const sphere::Vector& point) const {
  constexpr double kNearPole = 1e-12;
  const sphere::Vector up = DirectionOf(point);
  const sphere::Vector north = sphere::Vector{0, 0, 1} - up.z * up;
  if (Length(north) > kNearPole) return Unit(north);
  return {up.z > 0 ? -1.0 : 1.0, 0, 0};
}

double CubeSphere::HeightOf(const sphere::Vector& point) const {
  return Length(point) - grid().radius_m;
}

Place CubeSphere::PlaceUnder(const sphere::Vector& point) const {
  const sphere::Vector direction = DirectionOf(point);
  const sphere::FacePlace place = sphere::PlaceOf(direction);
  return {place.face, place.x, place.y};
}

sphere::Vector CubeSphere::PointOver(const Place& place, double height_m) const {
  const sphere::Vector point = sphere::PointOf(sphere::FacePlace{place.face, place.x, place.y});
  return (grid().radius_m + height_m) * point;
}

Sight CubeSphere::SightOf(const TileKey& key, const Heights& heights, const Viewer& viewer) const {
  const double radius_m = grid().radius_m;
  const double min_m = std::max(radius_m + heights.min_m, 0.0);
  const double max_m = std::max(radius_m + heights.max_m, min_m);
  const TilePatch patch(key);
  const double eye_m = Length(viewer.position);
  const double chord = patch.ChordTo(DirectionOf(viewer.position));
  const double angle = 2 * std::asin(std::min(0.5 * chord, 1.0));
  // The nearest point is at that angle, at the height where its direction is nearest to the eye. A
  // difference of squares would lose centimetres.
  const double nearest_m = std::clamp(eye_m * (1 - 0.5 * chord * chord), min_m, max_m);
  const double distance_m = std::hypot(eye_m - nearest_m, std::sqrt(eye_m * nearest_m) * chord);
  const bool hidden = viewer.lowest_m && Hides(radius_m + *viewer.lowest_m, eye_m, max_m, angle);
  return {.distance_m = distance_m,
          .horizontal_m = radius_m * angle,
          .may_show = !hidden && viewer.frustum.MayShow(patch.BallAround(min_m, max_m))};
}

}  // namespace thalweg::lod
