#include "server/tile/height_samples.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_codec.h"

namespace thalweg::tile {
namespace {

int CountOf(const v1::SampleHeightsRequest& request) {
  return std::max({request.east_m_size(), request.south_m_size(), request.latitude_deg_size(),
                   request.longitude_deg_size()});
}

}  // namespace

absl::StatusOr<HeightSamples> HeightSamples::Parse(std::shared_ptr<const world::World> world,
                                                   const v1::SampleHeightsRequest& request) {
  if (CountOf(request) > kMaxSamplePoints) {
    return wire::Invalid("points", absl::StrCat("max ", kMaxSamplePoints, " a call"),
                         CountOf(request));
  }
  HeightSamples samples;
  THALWEG_ASSIGN_OR_RETURN(
      samples.tile_query_,
      ParseWithoutKey(std::move(world), {}, v1::PRECISION_EXACT, request.priority()));
  v1::TileKey level_key;
  level_key.set_level(request.level());
  THALWEG_RETURN_IF_ERROR(CheckKey(FromProto(level_key), *samples.tile_query_.world));
  THALWEG_ASSIGN_OR_RETURN(const std::vector<sampling::PlacedPoint> points,
                           SamplePointsOf(*samples.tile_query_.world, request));
  absl::flat_hash_map<wire::TileKey, std::size_t> indices;
  for (std::size_t n = 0; n < points.size(); ++n) {
    const auto [entry, fresh] = indices.try_emplace(points[n].key, samples.tiles_.size());
    if (fresh) samples.tiles_.push_back({points[n].key, {}});
    samples.tiles_[entry->second].points.emplace_back(n, points[n].point);
  }
  if (samples.tiles_.size() > kMaxSampleTiles) {
    return wire::Invalid("points", absl::StrCat("points on max ", kMaxSampleTiles, " tiles a call"),
                         absl::StrCat(samples.tiles_.size(), " tiles"));
  }
  samples.point_count_ = points.size();
  return samples;
}

TileQuery HeightSamples::QueryOf(std::size_t n) const {
  TileQuery query = tile_query_;
  query.key = tiles_[n].key;
  query.wants_values = true;
  return query;
}

absl::Status HeightSamples::Sample(std::size_t n, const TileContents& contents,
                                   std::span<std::int32_t> heights) const {
  THALWEG_ASSIGN_OR_RETURN(const auto planes, contents.Planes(QueryOf(n)));
  const std::vector<std::int32_t>& values = planes.front();
  for (const auto& [number, point] : tiles_[n].points) {
    heights[number] = sampling::ValueAt(values, point, sampling::Rule::kBilinear);
  }
  return absl::OkStatus();
}

}  // namespace thalweg::tile
