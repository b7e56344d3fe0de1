// Heights at many points: a question whose tiles come one by one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "proto/geometry/sample_point.h"
#include "proto/wire/limits.h"
#include "proto/wire/tile_key.h"
#include "server/cache/tile_cache.h"
#include "server/tile/tile_contents.h"
#include "server/tile/tile_fan_in.h"
#include "server/tile/tile_query.h"
#include "server/tile/tile_service.h"
#include "server/world/world.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::tile {

// The places of the points, in the request's order: from eastings and southings on a plane, from
// latitudes and longitudes on a planet. The world has the request's level. INVALID_ARGUMENT for
// unequal counts, the other kind, or values that are not finite; OUT_OF_RANGE outside the world.
absl::StatusOr<std::vector<sampling::PlacedPoint>> SamplePointsOf(
    const world::World& world, const v1::SampleHeightsRequest& request);

// Heights at points, taken from the tiles that the points lie in.
using wire::kMaxSamplePoints;
using wire::kMaxSampleTiles;

// The points of a request, sorted by the tiles that they lie in.
class HeightSamples {
 public:
  // INVALID_ARGUMENT for too many points or tiles; OUT_OF_RANGE for a level that the world does not
  // have; and the errors of SamplePointsOf.
  static absl::StatusOr<HeightSamples> Parse(std::shared_ptr<const world::World> world,
                                             const v1::SampleHeightsRequest& request);

  // The query for all the tiles, without a key.
  TileQuery& tile_query() { return tile_query_; }

  // The number of tiles to ask for, and their queries: heights of exact precision.
  std::size_t tile_count() const { return tiles_.size(); }
  TileQuery QueryOf(std::size_t n) const;

  // Fills in the heights of the points on the nth tile, in 1/65,536 m: bilinear between the four
  // vertices around a point, with weights in 1/32,768, rounded down. `heights` has an entry for
  // every point. DATA_LOSS if the contents are not of that tile. Different tiles may be sampled
  // concurrently.
  absl::Status Sample(std::size_t n, const TileContents& contents,
                      std::span<std::int32_t> heights) const;

  std::size_t point_count() const { return point_count_; }

 private:
  struct TilePoints {
    wire::TileKey key;
    // The points, each with its number in the request.
    std::vector<std::pair<std::size_t, sampling::SamplePoint>> points;
  };

  TileQuery tile_query_;
  std::size_t point_count_ = 0;
  std::vector<TilePoints> tiles_;
};

// Thread-safe. It lives until its answer was given.
class HeightSampling : public std::enable_shared_from_this<HeightSampling> {
 public:
  // Gets the height of each point, in 1/65,536 m, or the first error.
  using Done = absl::AnyInvocable<void(absl::StatusOr<std::vector<std::int32_t>>) &&>;

  // `client`: whose turn it is on the workers.
  static std::shared_ptr<HeightSampling> Make(TileService& tiles, std::uint64_t client,
                                              HeightSamples samples, Done done);

  // Asks for the tiles; once. `done` is called once, by any thread, perhaps before this returns.
  void Start();

  // Drops the tiles that are left; before Start, all of them. `why` is the error if there is none
  // yet.
  void Stop(const absl::Status& why);

 private:
  HeightSampling(TileService& tiles, std::uint64_t client, HeightSamples samples, Done done);

  absl::Status Receive(std::size_t n, absl::StatusOr<TileContents> contents);
  absl::Status Sample(std::size_t n, const TileContents& contents);
  void Leave(const absl::Status& status);

  sharing::WorkerPool& workers_;
  const std::uint64_t client_;
  const HeightSamples samples_;
  Done done_;
  std::vector<std::int32_t> heights_;
  // The sampling holds itself until it has answered.
  std::shared_ptr<HeightSampling> self_;
  TileFanIn tiles_;
  // The tiles that wait to be sampled, one until no more can come, and one while the first ones are
  // asked for.
  std::atomic<std::size_t> left_ = 2;
  std::mutex mutex_;
  absl::Status outcome_;
};

}  // namespace thalweg::tile
