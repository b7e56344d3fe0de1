#include "server/tile/height_samples.h"

#include <cmath>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_codec.h"

namespace thalweg::tile {
namespace {

constexpr int kWeightBits = 15;
constexpr std::int64_t kWeightUnit = 1 << kWeightBits;

// A coordinate as a vertex and a part of the cell beyond it.
struct Place {
  std::int64_t vertex;
  std::uint16_t part;
};

absl::StatusOr<Place> PlaceOf(double metres, double cell_size_m) {
  const double cells = metres / cell_size_m;
  constexpr double kMost = static_cast<double>(wire::kMaxVertex);
  if (!std::isfinite(metres)) {
    return absl::InvalidArgumentError("sample heights: a coordinate is no number");
  }
  if (!(cells >= -kMost && cells < kMost)) {
    return absl::OutOfRangeError(absl::StrCat(
        "sample heights: ", metres, " m: the level reaches to ", kMost * cell_size_m, " m"));
  }
  const double vertex = std::floor(cells);
  return Place{static_cast<std::int64_t>(vertex),
               static_cast<std::uint16_t>((cells - vertex) * kWeightUnit)};
}

}  // namespace

absl::StatusOr<HeightSamples> HeightSamples::Parse(std::shared_ptr<const world::World> world,
                                                   const v1::SampleHeightsRequest& request) {
  if (request.east_m_size() != request.south_m_size()) {
    return absl::InvalidArgumentError(absl::StrCat("sample heights: ", request.east_m_size(),
                                                   " eastings, but ", request.south_m_size(),
                                                   " southings"));
  }
  if (request.east_m_size() > kMostSamplePoints) {
    return absl::InvalidArgumentError(absl::StrCat("sample heights: ", request.east_m_size(),
                                                   " points: must be ", kMostSamplePoints,
                                                   " or fewer"));
  }
  HeightSamples samples;
  THALWEG_ASSIGN_OR_RETURN(
      samples.form_, ParseForm(std::move(world), {}, v1::PRECISION_EXACT, request.priority()));
  v1::TileKey level_key;
  level_key.set_level(request.level());
  wire::TileKey key = FromProto(level_key);
  THALWEG_RETURN_IF_ERROR(CheckKey(key, *samples.form_.world));
  const double cell_size_m = samples.form_.world->level(key.level).cell_size_m;
  absl::flat_hash_map<wire::TileKey, std::size_t> places;
  constexpr std::int64_t kInTile = wire::kTileCells - 1;
  for (int n = 0; n < request.east_m_size(); ++n) {
    THALWEG_ASSIGN_OR_RETURN(const Place east, PlaceOf(request.east_m(n), cell_size_m));
    THALWEG_ASSIGN_OR_RETURN(const Place south, PlaceOf(request.south_m(n), cell_size_m));
    key.x = east.vertex >> wire::kTileBits;
    key.y = south.vertex >> wire::kTileBits;
    const auto [place, fresh] = places.try_emplace(key, samples.tiles_.size());
    if (fresh) samples.tiles_.push_back({key, {}});
    samples.tiles_[place->second].points.push_back(
        {static_cast<std::uint32_t>(n), static_cast<std::uint16_t>(east.vertex & kInTile),
         static_cast<std::uint16_t>(south.vertex & kInTile), east.part, south.part});
  }
  if (samples.tiles_.size() > kMostSampleTiles) {
    return absl::InvalidArgumentError(absl::StrCat("sample heights: the points lie on ",
                                                   samples.tiles_.size(), " tiles: must be ",
                                                   kMostSampleTiles, " or fewer"));
  }
  samples.point_count_ = static_cast<std::size_t>(request.east_m_size());
  return samples;
}

TileQuery HeightSamples::QueryOf(std::size_t n) const {
  TileQuery query = form_;
  query.key = tiles_[n].key;
  return query;
}

absl::Status HeightSamples::Sample(std::size_t n, const TileContents& contents,
                                   std::span<std::int32_t> heights) const {
  THALWEG_ASSIGN_OR_RETURN(const auto planes, contents.Planes(QueryOf(n)));
  const std::vector<std::int32_t>& values = planes.front();
  for (const Point& point : tiles_[n].points) {
    const auto row_at = [&](std::size_t row) {
      const std::int32_t* west = &values[row * wire::kTileVertices + point.column];
      return west[0] * (kWeightUnit - point.east) + west[1] * std::int64_t{point.east};
    };
    const std::int64_t height = row_at(point.row) * (kWeightUnit - point.south) +
                                row_at(point.row + std::size_t{1}) * std::int64_t{point.south};
    heights[point.number] = static_cast<std::int32_t>(height >> (2 * kWeightBits));
  }
  return absl::OkStatus();
}

}  // namespace thalweg::tile
