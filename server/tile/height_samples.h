// Heights at points, taken from the tiles that the points lie in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/wire/limits.h"
#include "proto/wire/tile_key.h"
#include "server/cache/tile_cache.h"
#include "server/tile/sample_points.h"
#include "server/tile/tile_contents.h"
#include "server/tile/tile_query.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::tile {

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

}  // namespace thalweg::tile
