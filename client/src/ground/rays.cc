#include "client/src/ground/rays.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "proto/geometry/cube_sphere.h"
#include "proto/geometry/tile_tree.h"

namespace thalweg {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

// A part of a ray, as distances from its origin in metres.
struct Interval {
  double begin = 0;
  double end = 0;
  bool empty() const { return !(begin <= end); }
};

// Follows a ray through the tiles that it crosses.
class PlaneCaster {
 public:
  PlaneCaster(const lod::WorldGrid& grid, TileAt tile_at, const sphere::Vector& origin,
              const sphere::Vector& direction)
      : grid_(grid), tile_at_(tile_at), origin_(origin), direction_(sphere::Unit(direction)) {}

  std::optional<RayHit> Run(double max_distance_m) const {
    // Steps from one level-0 tile to the next, which begins where the previous one ends.
    const double side = lod::TileSizeM(grid_, 0);
    double at = 0;
    while (at <= max_distance_m) {
      const sphere::Vector inside = Nudged(at);
      const auto root = KeyAt(grid_, {0, inside.x / side, inside.y / side}, 0);
      if (!root) return std::nullopt;
      const Interval within =
          Within(static_cast<double>(root->x) * side, static_cast<double>(root->y) * side, side);
      const double end = std::min(within.end, max_distance_m);
      if (const auto tile = tile_at_(*root)) {
        if (auto hit = CrossTile(*root, tile, {at, end})) return hit;
      }
      if (!(within.end > at)) return std::nullopt;
      at = within.end;
    }
    return std::nullopt;
  }

 private:
  sphere::Vector At(double distance_m) const { return origin_ + distance_m * direction_; }

  // A point slightly farther on the ray, so that a border belongs to the tile that the ray enters.
  sphere::Vector Nudged(double distance_m) const {
    return At(distance_m + 1e-6 * lod::CellSizeM(grid_, grid_.levels - 1));
  }

  // The part of the ray over a square.
  Interval Within(double west, double north, double side) const {
    Interval within{0, kFar};
    Clip(origin_.x, direction_.x, west, west + side, within);
    Clip(origin_.y, direction_.y, north, north + side, within);
    return within;
  }

  static void Clip(double origin, double direction, double min, double max, Interval& interval) {
    if (direction == 0) {
      if (origin < min || origin > max) interval.end = -1;
      return;
    }
    const double a = (min - origin) / direction;
    const double b = (max - origin) / direction;
    interval.begin = std::max(interval.begin, std::min(a, b));
    interval.end = std::min(interval.end, std::max(a, b));
  }

  // Crosses the tile's loaded children, and its own cells elsewhere, in the ray's order.
  std::optional<RayHit> CrossTile(const wire::TileKey& key, const std::shared_ptr<const Tile>& tile,
                                  Interval over) const {
    struct Quarter {
      Interval over;
      wire::TileKey child;
    };
    const double side = lod::TileSizeM(grid_, key.level + 1);
    std::array<Quarter, 4> quarters;
    std::size_t n = 0;
    for (const wire::TileKey& child : lod::ChildrenOf(key)) {
      Interval part =
          Within(static_cast<double>(child.x) * side, static_cast<double>(child.y) * side, side);
      part.begin = std::max(part.begin, over.begin);
      part.end = std::min(part.end, over.end);
      quarters[n++] = {part, child};
    }
    std::sort(quarters.begin(), quarters.end(), [](const Quarter& a, const Quarter& b) {
      return a.over.begin + a.over.end < b.over.begin + b.over.end;
    });
    for (const Quarter& quarter : quarters) {
      if (quarter.over.empty()) continue;
      const auto child =
          key.level + 1 < grid_.levels ? tile_at_(quarter.child) : std::shared_ptr<const Tile>();
      auto hit = child != nullptr ? CrossTile(quarter.child, child, quarter.over)
                                  : CrossCells(key, *tile, quarter.over);
      if (hit) return hit;
    }
    return std::nullopt;
  }

  // Goes cell by cell (Amanatides and Woo, A fast voxel traversal algorithm, 1987).
  std::optional<RayHit> CrossCells(const wire::TileKey& key, const Tile& tile,
                                   Interval over) const {
    const double low = std::min(At(over.begin).z, At(over.end).z);
    const double high = std::max(At(over.begin).z, At(over.end).z);
    if (low > HighestM(tile) || high < LowestM(tile)) return std::nullopt;
    const double cell = lod::CellSizeM(grid_, key.level);
    const double west = static_cast<double>(key.x) * cell * kTileCells;
    const double north = static_cast<double>(key.y) * cell * kTileCells;
    double at = over.begin;
    // At most as many cells as a ray can cross, so that rounding can't make this loop endless.
    for (int step = 0; step <= 2 * kTileVertices && at <= over.end; ++step) {
      const sphere::Vector inside = At(std::min(at + 1e-6 * cell, 0.5 * (at + over.end)));
      const int column = std::clamp(static_cast<int>((inside.x - west) / cell), 0, kTileCells - 1);
      const int row = std::clamp(static_cast<int>((inside.y - north) / cell), 0, kTileCells - 1);
      const Interval within = Within(west + column * cell, north + row * cell, cell);
      const double leave = std::min(within.end, over.end);
      if (const auto distance = HitPatch(Patch(tile, column, row), west + column * cell,
                                         north + row * cell, cell, {at, std::max(at, leave)})) {
        const sphere::Vector point = At(*distance);
        return RayHit{
            .distance_m = *distance, .position_m = {point.x, point.y, point.z}, .level = key.level};
      }
      if (!(leave < over.end)) break;
      at = std::max(leave, at + 1e-9 * cell);
    }
    return std::nullopt;
  }

  // Returns where the ray first meets the patch: the first root in the interval of the ray's height
  // minus the patch's, a quadratic.
  std::optional<double> HitPatch(const Patch& patch, double west, double north, double cell,
                                 Interval over) const {
    const sphere::Vector start = At(over.begin);
    const double u = (start.x - west) / cell;
    const double v = (start.y - north) / cell;
    const double du = direction_.x / cell;
    const double dv = direction_.y / cell;
    const double c0 = start.z - patch.At(u, v);
    const double c1 = direction_.z - patch.b * du - patch.c * dv - patch.d * (u * dv + v * du);
    const double c2 = -patch.d * du * dv;
    const double length = over.end - over.begin;
    const auto distance = FirstRoot(c0, c1, c2, length);
    if (!distance) return std::nullopt;
    return over.begin + *distance;
  }

  const lod::WorldGrid& grid_;
  const TileAt tile_at_;
  const sphere::Vector origin_;
  const sphere::Vector direction_;
};

constexpr double kEndless = std::numeric_limits<double>::infinity();
// Max distance of a ray's origin, and its max length: beyond it, doubles are coarser than a metre.
constexpr double kFarthestM = 1e15;
// More tiles, or cells, than any ray crosses, so that rounding can't make a loop endless.
constexpr int kMaxCrossed = 1 << 20;

// Follows a ray through a planet's tiles and their cells. Lines of a face's lattice lie in planes
// through the planet's middle, so a ray meets each at one distance.
class SpaceCaster {
 public:
  SpaceCaster(const lod::Surface& planet, TileAt tile_at, const sphere::Vector& origin,
              const sphere::Vector& direction)
      : planet_(planet), tile_at_(tile_at), origin_(origin), direction_(sphere::Unit(direction)) {}

  std::optional<SpaceRayHit> Run(double max_distance_m) const {
    double at = 0;
    Side side = Side::kUnknown;
    for (int crossed = 0; crossed < kMaxCrossed && at <= max_distance_m; ++crossed) {
      // Slightly behind a border, so that it belongs to the tile that the ray enters.
      const lod::Place place = planet_.PlaceUnder(PointAt(at + NudgeM()));
      const FinestTile under = FinestTileAt(planet_.grid(), tile_at_, place);
      if (under.tile == nullptr) return std::nullopt;
      const double end = std::min(LeavesAt(under.key, 0, 0, kTileCells, at), max_distance_m);
      if (const auto distance = CrossTile(under, at, end, side)) {
        const sphere::Vector point = PointAt(*distance);
        return SpaceRayHit{
            .distance_m = *distance, .position_m = ToSpace(point), .level = under.key.level};
      }
      if (!(end < max_distance_m)) break;
      at = std::max(end, at + NudgeM());
    }
    return std::nullopt;
  }

 private:
  // The side of the ground that the ray was on last. Between tiles of two levels the ground may
  // have a step, whose wall counts as ground.
  enum class Side : std::uint8_t { kUnknown, kAbove, kBelow };

  sphere::Vector PointAt(double distance_m) const { return origin_ + distance_m * direction_; }

  double NudgeM() const {
    return 1e-6 * lod::CellSizeM(planet_.grid(), planet_.grid().levels - 1) +
           1e-15 * sphere::Length(origin_);
  }

  // Where the ray next crosses a side of a square of a tile's cells.
  double LeavesAt(const wire::TileKey& key, int column, int row, int cells, double at) const {
    const sphere::FaceAxes axes = sphere::AxesOf(key.face);
    double leaves = kEndless;
    for (const int side : {0, cells}) {
      const lod::Place corner = lod::PlaceOf(key, column + side, row + side);
      for (const auto& [axis, on_face] : {std::pair{axes.x, corner.x}, {axes.y, corner.y}}) {
        // The normal of the plane that contains the side.
        const sphere::Vector normal =
            sphere::VectorOf(axis) - sphere::ToCube(on_face) * sphere::VectorOf(axes.middle);
        const double crossing = -sphere::Dot(origin_, normal) / sphere::Dot(direction_, normal);
        if (crossing > at + 0.5 * NudgeM()) leaves = std::min(leaves, crossing);
      }
    }
    return leaves;
  }

  // Returns where the ray meets the tile's ground. Otherwise `side` becomes the ray's side where it
  // leaves the tile.
  std::optional<double> CrossTile(const FinestTile& under, double begin, double end,
                                  Side& side) const {
    const double nearest = std::clamp(-sphere::Dot(origin_, direction_), begin, end);
    const double low = planet_.HeightOf(PointAt(nearest));
    const double high = std::max(planet_.HeightOf(PointAt(begin)), planet_.HeightOf(PointAt(end)));
    const bool over = low > HighestM(*under.tile);
    if (over || high < LowestM(*under.tile)) {
      const Side now = over ? Side::kAbove : Side::kBelow;
      if (side != Side::kUnknown && now != side) return begin;
      side = now;
      return std::nullopt;
    }
    double at = begin;
    for (int crossed = 0; crossed < kMaxCrossed && at < end; ++crossed) {
      const PlaceInTile inside = InTile(under.key, planet_.PlaceUnder(PointAt(at + NudgeM())));
      const int column = std::clamp(static_cast<int>(std::floor(inside.x)), 0, kTileCells - 1);
      const int row = std::clamp(static_cast<int>(std::floor(inside.y)), 0, kTileCells - 1);
      const double leave = std::min(LeavesAt(under.key, column, row, 1, at), end);
      if (const auto distance = CrossCell(under, column, row, at, leave, side)) return distance;
      at = std::max(leave, at + NudgeM());
    }
    return std::nullopt;
  }

  // Over a cell, the ray's height above the ground is almost a quadratic; only the curvature of the
  // cell's lines disturbs it. The quadratic through three of its values gives a root, which two
  // steps of Newton's method correct.
  std::optional<double> CrossCell(const FinestTile& under, int column, int row, double begin,
                                  double end, Side& side) const {
    const Patch patch(*under.tile, column, row);
    const auto above = [&](double distance_m) {
      const sphere::Vector point = PointAt(distance_m);
      const PlaceInTile at = OnFace(under.key, point);
      return planet_.HeightOf(point) - patch.At(at.x - column, at.y - row);
    };
    const double length = end - begin;
    const double first = above(begin);
    if (side != Side::kUnknown && side != SideOf(first)) return begin;
    const double middle = above(begin + length / 2);
    const double last = above(end);
    side = SideOf(last);
    const auto root =
        FirstRoot(first, -3 * first + 4 * middle - last, 2 * first - 4 * middle + 2 * last, 1);
    if (!root) return std::nullopt;
    double distance = begin + *root * length;
    for (int step = 0; step < 2; ++step) {
      const double aside = 1e-3 * length;
      const double slope = (above(distance + aside) - above(distance - aside)) / (2 * aside);
      if (slope == 0) break;
      distance = std::clamp(distance - above(distance) / slope, begin, end);
    }
    return distance;
  }

  static Side SideOf(double above_m) { return above_m > 0 ? Side::kAbove : Side::kBelow; }

  // On the tile's own face, even if rounding puts the point slightly beyond it.
  PlaceInTile OnFace(const wire::TileKey& key, const sphere::Vector& point) const {
    const sphere::FacePlace place = sphere::PlaceOn(key.face, point);
    return InTile(key, {place.face, place.x, place.y});
  }

  const lod::Surface& planet_;
  const TileAt tile_at_;
  const sphere::Vector origin_;
  const sphere::Vector direction_;
};

}  // namespace

std::optional<RayHit> CastRayOnGround(const lod::WorldGrid& grid, TileAt tile_at,
                                      const sphere::Vector& origin, const sphere::Vector& direction,
                                      double max_distance_m) {
  // Written so that NaN is refused too.
  const double length = sphere::Length(direction);
  if (!(length > 0 && length < kFar)) return std::nullopt;
  return PlaneCaster(grid, tile_at, origin, direction).Run(max_distance_m);
}

std::optional<SpaceRayHit> CastRayInSpace(const lod::Surface& planet, TileAt tile_at,
                                          const sphere::Vector& origin,
                                          const sphere::Vector& direction, double max_distance_m) {
  // Written so that NaN is refused too.
  const double length = sphere::Length(direction);
  if (!(length > 0 && length < kEndless && sphere::Length(origin) < kFarthestM)) {
    return std::nullopt;
  }
  return SpaceCaster(planet, tile_at, origin, direction).Run(std::min(max_distance_m, kFarthestM));
}

}  // namespace thalweg
