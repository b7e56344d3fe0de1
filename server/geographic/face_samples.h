// Values at points of a planet, taken from the tiles of its faces.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "proto/sampling/point_set.h"
#include "proto/sphere/cube_sphere.h"
#include "server/tile/tile_contents.h"
#include "server/tile/tile_query.h"

namespace thalweg::geographic {

// For each layer, a value at each point.
using SampledLayers = std::map<v1::Layer, std::vector<std::int32_t>>;

class FaceSamples {
 public:
  // Points are directions from the middle of the planet. Uses the query's world, layers, level and
  // client; its precision must be exact.
  FaceSamples(tile::TileQuery tile_query, std::span<const sphere::Point> points)
      : tile_query_(std::move(tile_query)), points_(points, tile_query_.key.level) {}

  // The queries of the tiles that the points lie in.
  std::vector<tile::TileQuery> Tiles() const;

  // The values of the query's layers, from the contents of all tiles in the order of Tiles.
  // DATA_LOSS if a tile has other layers.
  absl::StatusOr<SampledLayers> Take(std::span<const tile::TileContents> tiles,
                                     absl::FunctionRef<sampling::Rule(v1::Layer)> rule_of) const;

 private:
  tile::TileQuery tile_query_;
  sampling::PointSet points_;
};

// Whether the world has standing water.
bool HasWater(const world::World& world);

}  // namespace thalweg::geographic
