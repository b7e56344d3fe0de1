#include "client/tools/globe/globe.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "proto/geometry/sample_point.h"
#include "proto/wire/status_macros.h"
#include "thalweg/planet.h"
#include "thalweg/tile.h"

namespace thalweg::globe {
namespace {

TileKey FromWire(const wire::TileKey& key) { return {key.level, key.x, key.y, key.face}; }
wire::TileKey ToWire(const TileKey& key) { return {key.face, key.level, key.x, key.y}; }

sphere::Vector FromSpace(const SpaceVector& v) { return {v.x, v.y, v.z}; }

}  // namespace

std::vector<TileRectangle> RectanglesOf(std::span<const TileKey> keys) {
  std::vector<TileRectangle> rows;
  for (const TileKey& key : keys) {
    if (!rows.empty()) {
      TileRectangle& row = rows.back();
      const TileKey next{row.first.level, row.first.x + row.columns, row.first.y, row.first.face};
      if (key == next) {
        ++row.columns;
        continue;
      }
    }
    rows.push_back({.first = key});
  }
  std::vector<TileRectangle> rectangles;
  for (const TileRectangle& row : rows) {
    if (!rectangles.empty()) {
      TileRectangle& above = rectangles.back();
      const TileKey below{above.first.level, above.first.x, above.first.y + above.rows,
                          above.first.face};
      if (row.first == below && row.columns == above.columns) {
        ++above.rows;
        continue;
      }
    }
    rectangles.push_back(row);
  }
  return rectangles;
}

absl::StatusOr<Samples> SamplePoints(Client& client, const SampleRequest& request,
                                     std::span<const sphere::Vector> points,
                                     const RegionProgressCallback& progress) {
  const sampling::PointSet set(points, request.level);
  std::vector<TileKey> keys;
  for (const wire::TileKey& key : set.tiles()) keys.push_back(FromWire(key));
  Samples samples;
  for (const Layer layer : request.layers) {
    samples.planes.push_back({layer, std::vector<std::int32_t>(points.size())});
  }
  const TileOptions options{request.layers, Precision::kExact, request.priority};
  const auto take = [&](const Tile& tile) {
    const std::size_t n = set.Find(ToWire(tile.key));
    for (std::size_t plane = 0; plane < samples.planes.size(); ++plane) {
      const auto layer = static_cast<v1::Layer>(samples.planes[plane].layer);
      set.Sample(n, tile.planes[plane].values, sampling::RuleOf(layer),
                 samples.planes[plane].values);
    }
    ++samples.tiles;
    samples.wire_bytes += tile.wire_bytes;
    if (progress) {
      progress({samples.tiles, static_cast<std::int64_t>(keys.size()), samples.wire_bytes});
    }
    return absl::OkStatus();
  };
  for (const TileRectangle& rectangle : RectanglesOf(keys)) {
    THALWEG_RETURN_IF_ERROR(client.StreamTiles(request.world, rectangle, options, take));
  }
  return samples;
}

std::vector<DiscPoint> Disc::Points() const {
  const SpaceVector towards = SpacePointOf(middle, 1);
  const Compass compass = CompassAt(towards);
  const sphere::Vector sight = FromSpace(compass.up);
  const sphere::Vector east = FromSpace(compass.east);
  const sphere::Vector north = FromSpace(compass.north);
  std::vector<DiscPoint> points;
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const double right = (x + 0.5 - 0.5 * size) / Radius();
      const double up = (0.5 * size - y - 0.5) / Radius();
      const double from_middle = std::hypot(right, up);
      const double share = (1 - from_middle) * Radius() + 0.5;
      if (share <= 0) continue;
      // A pixel with its middle beyond the edge shows the edge.
      const double scale = from_middle < 1 ? 1 : (1 - 1e-9) / from_middle;
      const double a = right * scale;
      const double b = up * scale;
      const double facing = std::sqrt(std::max(1 - a * a - b * b, 0.0));
      // The rotation from the line of sight to the point also rotates the picture's directions.
      const double turn = 1 / (1 + facing);
      points.push_back({.x = x,
                        .y = y,
                        .at = a * east + b * north + facing * sight,
                        .right = (1 - a * a * turn) * east + -a * b * turn * north + -a * sight,
                        .up = -a * b * turn * east + (1 - b * b * turn) * north + -b * sight,
                        .facing = facing,
                        .share = static_cast<float>(std::min(share, 1.0))});
    }
  }
  return points;
}

int LevelOf(const Disc& disc) {
  const double pixels = disc.Radius() * std::numbers::pi / 2;
  return std::max(static_cast<int>(std::ceil(std::log2(pixels / kTileCells))), 0);
}

}  // namespace thalweg::globe
