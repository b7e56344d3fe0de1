#include "client/src/ground/plane_ray.h"

#include <algorithm>
#include <array>
#include <limits>

#include "client/src/ground/ground_patch.h"
#include "proto/lod/tile_tree.h"

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
  PlaneCaster(const lod::Grid& grid, TileAt tile_at, const lod::Vector& origin,
              const lod::Vector& direction)
      : grid_(grid), tile_at_(tile_at), origin_(origin), direction_(lod::Unit(direction)) {}

  std::optional<RayHit> Run(double max_distance_m) const {
    // Steps from one level-0 tile to the next, which begins where the previous one ends.
    const double side = lod::TileSizeM(grid_, 0);
    double at = 0;
    while (at <= max_distance_m) {
      const lod::Vector inside = Nudged(at);
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
  lod::Vector At(double distance_m) const { return origin_ + distance_m * direction_; }

  // A point slightly farther on the ray, so that a border belongs to the tile that the ray enters.
  lod::Vector Nudged(double distance_m) const {
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
      const lod::Vector inside = At(std::min(at + 1e-6 * cell, 0.5 * (at + over.end)));
      const int column = std::clamp(static_cast<int>((inside.x - west) / cell), 0, kTileCells - 1);
      const int row = std::clamp(static_cast<int>((inside.y - north) / cell), 0, kTileCells - 1);
      const Interval within = Within(west + column * cell, north + row * cell, cell);
      const double leave = std::min(within.end, over.end);
      if (const auto distance = HitPatch(Patch(tile, column, row), west + column * cell,
                                         north + row * cell, cell, {at, std::max(at, leave)})) {
        const lod::Vector point = At(*distance);
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
    const lod::Vector start = At(over.begin);
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

  const lod::Grid& grid_;
  const TileAt tile_at_;
  const lod::Vector origin_;
  const lod::Vector direction_;
};

}  // namespace

std::optional<RayHit> CastRayOnGround(const lod::Grid& grid, TileAt tile_at,
                                      const lod::Vector& origin, const lod::Vector& direction,
                                      double max_distance_m) {
  // Written so that NaN is refused too.
  const double length = lod::Length(direction);
  if (!(length > 0 && length < kFar)) return std::nullopt;
  return PlaneCaster(grid, tile_at, origin, direction).Run(max_distance_m);
}

}  // namespace thalweg
