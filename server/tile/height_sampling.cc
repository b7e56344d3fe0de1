#include "server/tile/height_sampling.h"

#include <algorithm>
#include <cmath>

#include "absl/container/flat_hash_map.h"
#include "proto/geometry/cube_sphere.h"
#include "proto/wire/invalid.h"
#include "proto/wire/rounded.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_codec.h"

namespace thalweg::tile {
namespace {

using sampling::PlacedPoint;
using Coordinates = google::protobuf::RepeatedField<double>;
constexpr absl::StatusCode kOutOfRange = absl::StatusCode::kOutOfRange;

absl::Status CheckNone(absl::string_view name, const Coordinates& coordinates,
                       absl::string_view instead) {
  if (coordinates.empty()) return absl::OkStatus();
  return wire::Excluded(name, absl::StrCat("the world is ", instead));
}

absl::Status CheckCounts(const Coordinates& some, absl::string_view some_name,
                         const Coordinates& others, absl::string_view others_name) {
  if (some.size() == others.size()) return absl::OkStatus();
  return wire::Invalid(others_name, absl::StrCat(some.size(), ", as many as ", some_name),
                       others.size());
}

absl::Status CheckFinite(absl::string_view name, double coordinate) {
  if (std::isfinite(coordinate)) return absl::OkStatus();
  return wire::Invalid(name, "a finite number", coordinate);
}

absl::Status CheckDegrees(absl::string_view name, double degrees, double max) {
  THALWEG_RETURN_IF_ERROR(CheckFinite(name, degrees));
  if (std::abs(degrees) <= max) return absl::OkStatus();
  return wire::Invalid(name, absl::StrCat(-max, " to ", max), degrees, kOutOfRange);
}

// A coordinate in cells of a level. OUT_OF_RANGE if the level does not have it.
absl::StatusOr<double> CellsOf(absl::string_view name, double metres, double cell_size_m) {
  constexpr double kMax = static_cast<double>(wire::kMaxVertex);
  THALWEG_RETURN_IF_ERROR(CheckFinite(name, metres));
  const double cells = metres / cell_size_m;
  if (cells >= -kMax && cells < kMax) return cells;
  const double reach_m = kMax * cell_size_m;
  // The eastern end is not reached.
  const double last_m = std::nextafter(reach_m, 0.0);
  return wire::Invalid(
      name,
      absl::StrCat(wire::MinText(-reach_m), " to ", wire::MaxText(last_m), " m at this level"),
      metres, kOutOfRange);
}

absl::StatusOr<std::vector<PlacedPoint>> OnPlane(double cell_size_m,
                                                 const v1::SampleHeightsRequest& request) {
  THALWEG_RETURN_IF_ERROR(
      CheckNone("latitude_deg", request.latitude_deg(), "a plane (use east_m)"));
  THALWEG_RETURN_IF_ERROR(
      CheckNone("longitude_deg", request.longitude_deg(), "a plane (use south_m)"));
  THALWEG_RETURN_IF_ERROR(CheckCounts(request.east_m(), "east_m", request.south_m(), "south_m"));
  constexpr double kLastCell = static_cast<double>(wire::kMaxVertex - 1);
  std::vector<PlacedPoint> points;
  for (int n = 0; n < request.east_m_size(); ++n) {
    THALWEG_ASSIGN_OR_RETURN(const double x, CellsOf("east_m", request.east_m(n), cell_size_m));
    THALWEG_ASSIGN_OR_RETURN(const double y, CellsOf("south_m", request.south_m(n), cell_size_m));
    points.push_back(sampling::PointAt(0, static_cast<int>(request.level()), x, y, kLastCell));
  }
  return points;
}

absl::StatusOr<std::vector<PlacedPoint>> OnPlanet(const v1::SampleHeightsRequest& request) {
  THALWEG_RETURN_IF_ERROR(CheckNone("east_m", request.east_m(), "a planet (use latitude_deg)"));
  THALWEG_RETURN_IF_ERROR(CheckNone("south_m", request.south_m(), "a planet (use longitude_deg)"));
  THALWEG_RETURN_IF_ERROR(CheckCounts(request.latitude_deg(), "latitude_deg",
                                      request.longitude_deg(), "longitude_deg"));
  std::vector<PlacedPoint> points;
  for (int n = 0; n < request.latitude_deg_size(); ++n) {
    const sphere::LatLong at{request.latitude_deg(n), request.longitude_deg(n)};
    THALWEG_RETURN_IF_ERROR(CheckDegrees("latitude_deg", at.latitude, 90));
    THALWEG_RETURN_IF_ERROR(CheckDegrees("longitude_deg", at.longitude, 180));
    points.push_back(
        sampling::PointOn(sphere::PlaceOf(sphere::PointOf(at)), static_cast<int>(request.level())));
  }
  return points;
}

int CountOf(const v1::SampleHeightsRequest& request) {
  return std::max({request.east_m_size(), request.south_m_size(), request.latitude_deg_size(),
                   request.longitude_deg_size()});
}

}  // namespace

absl::StatusOr<std::vector<PlacedPoint>> SamplePointsOf(const world::World& world,
                                                        const v1::SampleHeightsRequest& request) {
  if (ShapeOf(world) == wire::Shape::kSphere) return OnPlanet(request);
  return OnPlane(world.level(static_cast<int>(request.level())).cell_size_m, request);
}

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

std::shared_ptr<HeightSampling> HeightSampling::Make(TileService& tiles, std::uint64_t client,
                                                     HeightSamples samples, Done done) {
  return std::shared_ptr<HeightSampling>(
      new HeightSampling(tiles, client, std::move(samples), std::move(done)));
}

void HeightSampling::Start() {
  self_ = shared_from_this();
  tiles_.AskAll(samples_.tile_count(), [this](std::size_t n) { return samples_.QueryOf(n); });
  Leave(absl::OkStatus());
}

HeightSampling::HeightSampling(TileService& tiles, std::uint64_t client, HeightSamples samples,
                               Done done)
    : workers_(tiles.workers()),
      client_(client),
      samples_(std::move(samples)),
      done_(std::move(done)),
      heights_(samples_.point_count(), 0),
      tiles_(
          &tiles,
          [this](std::size_t n, absl::StatusOr<TileContents> contents) {
            return Receive(n, std::move(contents));
          },
          [this](const absl::Status& status) { Leave(status); }) {}

void HeightSampling::Stop(const absl::Status& why) {
  tiles_.Stop(why);
  tiles_.End();
}

// Decoding a tile takes up to a few milliseconds, so it waits for the caller's turn on a worker.
absl::Status HeightSampling::Receive(std::size_t n, absl::StatusOr<TileContents> contents) {
  if (!contents.ok()) return contents.status();
  left_.fetch_add(1);
  workers_.Post(
      client_, "sample heights",
      [this, n, contents = *std::move(contents)]() mutable {
        absl::Status sampled = Sample(n, contents);
        // Gives the tile's room back before more tiles are asked for.
        contents = TileContents();
        return sampled;
      },
      [this](const absl::Status& status) {
        if (!status.ok()) Stop(status);
        tiles_.Release();
        Leave(tiles_.status());
      });
  return absl::OkStatus();
}

// Called concurrently: different tiles write different points.
absl::Status HeightSampling::Sample(std::size_t n, const TileContents& contents) {
  THALWEG_RETURN_IF_ERROR(tiles_.status());
  return samples_.Sample(n, contents, heights_);
}

// The last one to leave answers.
void HeightSampling::Leave(const absl::Status& status) {
  {
    const std::lock_guard lock(mutex_);
    outcome_.Update(status);
  }
  if (left_.fetch_sub(1) > 1) return;
  const std::shared_ptr<HeightSampling> self = std::move(self_);
  if (!outcome_.ok()) return std::move(done_)(outcome_);
  std::move(done_)(std::move(heights_));
}

}  // namespace thalweg::tile
