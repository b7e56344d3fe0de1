#include "proto/sampling/point_set.h"

#include <algorithm>
#include <tuple>

#include "absl/container/flat_hash_map.h"

namespace thalweg::sampling {
namespace {

auto OrderOf(const wire::TileKey& key) { return std::tuple(key.face, key.y, key.x); }

}  // namespace

PointSet::PointSet(std::span<const sphere::Point> points, int level) : size_(points.size()) {
  absl::flat_hash_map<wire::TileKey, std::vector<NumberedPoint>> by_tile;
  for (std::size_t n = 0; n < points.size(); ++n) {
    const PlacedPoint placed = PointOn(sphere::PlaceOf(points[n]), level);
    by_tile[placed.key].push_back({static_cast<std::uint32_t>(n), placed.point});
  }
  for (const auto& [key, unused] : by_tile) tiles_.push_back(key);
  std::ranges::sort(tiles_, {}, OrderOf);
  for (const wire::TileKey& key : tiles_) points_.push_back(std::move(by_tile[key]));
}

std::size_t PointSet::Find(const wire::TileKey& key) const {
  const auto found = std::ranges::lower_bound(tiles_, OrderOf(key), {}, OrderOf);
  if (found == tiles_.end() || *found != key) return tiles_.size();
  return static_cast<std::size_t>(found - tiles_.begin());
}

void PointSet::Take(std::size_t n, std::span<const std::int32_t> values, Rule rule,
                    std::span<std::int32_t> out) const {
  for (const auto& [number, point] : points_[n]) out[number] = ValueAt(values, point, rule);
}

}  // namespace thalweg::sampling
