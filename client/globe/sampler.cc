#include "client/globe/sampler.h"

#include "proto/sampling/point_set.h"
#include "proto/wire/status_macros.h"

namespace thalweg::globe {
namespace {

TileKey FromWire(const wire::TileKey& key) { return {key.level, key.x, key.y, key.face}; }
wire::TileKey ToWire(const TileKey& key) { return {key.face, key.level, key.x, key.y}; }

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
                                     std::span<const sphere::Point> points,
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
      set.Take(n, tile.planes[plane].values, sampling::RuleOf(layer), samples.planes[plane].values);
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

}  // namespace thalweg::globe
