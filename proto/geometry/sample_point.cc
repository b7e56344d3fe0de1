#include "proto/geometry/sample_point.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "absl/container/flat_hash_map.h"

namespace thalweg::sampling {
namespace {

auto OrderOf(const wire::TileKey& key) { return std::tuple(key.face, key.y, key.x); }

}  // namespace

PlacedPoint PointAt(int face, int level, double x, double y, double last_cell) {
  const double west = std::min(std::floor(x), last_cell);
  const double north = std::min(std::floor(y), last_cell);
  const auto column = static_cast<std::int64_t>(west);
  const auto row = static_cast<std::int64_t>(north);
  const auto weight = [](double part) {
    return static_cast<std::uint16_t>(std::min(part, 1.0) * kWeight);
  };
  constexpr std::int64_t kInTile = wire::kTileCells - 1;
  return {.key = {.face = face,
                  .level = level,
                  .x = column >> wire::kTileBits,
                  .y = row >> wire::kTileBits},
          .point = {.column = static_cast<std::uint16_t>(column & kInTile),
                    .row = static_cast<std::uint16_t>(row & kInTile),
                    .east = weight(x - west),
                    .south = weight(y - north)}};
}

PlacedPoint PointOn(const sphere::FacePlace& place, int level) {
  const double cells = std::ldexp(wire::kTileCells, level);
  return PointAt(place.face, level, place.x * cells, place.y * cells, cells - 1);
}

Rule RuleOf(v1::Layer layer) {
  const bool has_mean =
      layer != v1::LAYER_COVER && layer != v1::LAYER_NORMAL && layer != v1::LAYER_SHORE_DIRECTION;
  return has_mean ? Rule::kBilinear : Rule::kNearest;
}

std::int32_t ValueAt(std::span<const std::int32_t> values, const SamplePoint& point, Rule rule) {
  const auto vertex = [&](int rows, int columns) {
    return values[static_cast<std::size_t>(point.row + rows) * wire::kTileVertices +
                  static_cast<std::size_t>(point.column + columns)];
  };
  if (rule == Rule::kNearest) {
    return vertex(point.south * 2 >= kWeight ? 1 : 0, point.east * 2 >= kWeight ? 1 : 0);
  }
  const auto row_at = [&](int rows) {
    return vertex(rows, 0) * (kWeight - point.east) + vertex(rows, 1) * std::int64_t{point.east};
  };
  const std::int64_t value =
      row_at(0) * (kWeight - point.south) + row_at(1) * std::int64_t{point.south};
  return static_cast<std::int32_t>(value >> (2 * kWeightBits));
}

PointSet::PointSet(std::span<const sphere::Vector> points, int level) : size_(points.size()) {
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

void PointSet::Sample(std::size_t n, std::span<const std::int32_t> values, Rule rule,
                      std::span<std::int32_t> out) const {
  for (const auto& [number, point] : points_[n]) out[number] = ValueAt(values, point, rule);
}

}  // namespace thalweg::sampling
