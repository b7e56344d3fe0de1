#include "server/tiles3d/box.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "server/geographic/vectors.h"
#include "server/tiles3d/ground.h"

namespace thalweg::tiles3d {
namespace {

using geographic::Cross;
using geographic::Difference;
using geographic::Dot;
using geographic::Scaled;
using geographic::Sum;
using geographic::UnitOf;

// How many points in a row the box is made from, and by how much it is enlarged for the ground
// between them. On a whole face they are 5.6° apart; such an arc rises above its chord by 0.1 % of
// half the face.
constexpr int kSamples = 16;
constexpr double kSlack = 1.002;

struct Range {
  double min = std::numeric_limits<double>::max();
  double max = std::numeric_limits<double>::lowest();
};

}  // namespace

Box BoxAround(const Cell& cell, const geographic::Ellipsoid& ellipsoid,
              const HeightBounds& bounds) {
  const wire::TileKey key = TileOf(cell);
  constexpr int kMiddle = wire::kTileCells / 2;
  const sphere::Point up = DirectionOf(key, kMiddle, kMiddle);
  const sphere::Point along =
      Difference(DirectionOf(key, wire::kTileCells, kMiddle), DirectionOf(key, 0, kMiddle));
  const sphere::Point south = UnitOf(Cross(along, up));
  const std::array<sphere::Point, 3> axes = {Cross(up, south), south, up};
  std::array<Range, 3> ranges;
  for (int row = 0; row <= wire::kTileCells; row += wire::kTileCells / kSamples) {
    for (int column = 0; column <= wire::kTileCells; column += wire::kTileCells / kSamples) {
      const sphere::Point direction = DirectionOf(key, column, row);
      for (const double height_m : {bounds.min_m, bounds.max_m}) {
        const sphere::Point point = geographic::PointAbove(ellipsoid, direction, height_m);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const double at = Dot(point, axes[axis]);
          ranges[axis].min = std::min(ranges[axis].min, at);
          ranges[axis].max = std::max(ranges[axis].max, at);
        }
      }
    }
  }
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [min, max] = ranges[axis];
    box.center = Sum(box.center, Scaled(axes[axis], (min + max) / 2));
    box.half_axes[axis] = Scaled(axes[axis], kSlack * (max - min) / 2);
  }
  return box;
}

std::string JsonOf(const Box& box) {
  std::string json;
  const auto append = [&json](const sphere::Point& point) {
    absl::StrAppend(&json, json.empty() ? "" : ",",
                    absl::StrFormat("%.3f,%.3f,%.3f", point.x, point.y, point.z));
  };
  append(box.center);
  for (const sphere::Point& axis : box.half_axes) append(axis);
  return absl::StrCat("{\"box\":[", json, "]}");
}

}  // namespace thalweg::tiles3d
