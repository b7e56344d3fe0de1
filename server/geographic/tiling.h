// The tiles of a globe, and the level of a planet that each zoom shows.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/geometry/cube_sphere.h"
#include "proto/geometry/sample_point.h"
#include "server/tile/tile_contents.h"
#include "server/tile/tile_query.h"
#include "server/world/world.h"

namespace thalweg::geographic {

// For each layer, a value at each point.
using SampledLayers = std::map<v1::Layer, std::vector<std::int32_t>>;

class FaceSamples {
 public:
  // Points are directions from the middle of the planet. Uses the query's world, layers, level and
  // client; its precision must be exact.
  FaceSamples(tile::TileQuery tile_query, std::span<const sphere::Vector> points)
      : tile_query_(std::move(tile_query)), points_(points, tile_query_.key.level) {}

  // The queries of the tiles that the points lie in.
  std::vector<tile::TileQuery> Tiles() const;

  // The values of the query's layers, from the contents of all tiles in the order of Tiles.
  // DATA_LOSS if a tile has other layers.
  absl::StatusOr<SampledLayers> Sample(std::span<const tile::TileContents> tiles,
                                       absl::FunctionRef<sampling::Rule(v1::Layer)> rule_of) const;

 private:
  tile::TileQuery tile_query_;
  sampling::PointSet points_;
};

// Whether the world has standing water.
bool HasWater(const world::World& world);

// How a pyramid of tiles covers the planet.
enum class Tiling : std::uint8_t {
  // EPSG:4326: evenly spaced latitudes; two tiles at zoom 0.
  kGeographic,
  // EPSG:3857: latitudes up to 85.05°; one tile at zoom 0.
  kMercator,
};

// Columns count from 180° W to the east. Rows count from the pyramid's northern edge, as in XYZ, or
// from its southern one, as in TMS: the code that uses the tile must know which.
struct GlobeTile {
  int zoom = 0;
  std::int64_t x = 0;
  std::int64_t y = 0;

  friend bool operator==(const GlobeTile&, const GlobeTile&) = default;
};

std::int64_t ColumnsAt(Tiling tiling, int zoom);
std::int64_t RowsAt(int zoom);

// The finest zoom that shows the planet's last level. `samples`: how many a tile has on a side, a
// power of two up to 512.
int MaxZoom(Tiling tiling, int samples, int levels);

// The level that tiles of a zoom show: the coarsest one with a mean cell (a quarter of the
// circumference by 256 * 2^level) no longer than the spacing of their samples along a meridian at
// the equator; 0 if no level is so coarse. Near the poles samples are closer in longitude; that
// does not raise the level.
int LevelOf(Tiling tiling, int samples, int zoom);

// INVALID_ARGUMENT unless the world is a planet.
absl::Status CheckPlanet(const world::World& world);

// NOT_FOUND, naming the range, unless the pyramid up to this zoom has the tile.
absl::Status CheckTile(Tiling tiling, const GlobeTile& tile, int max_zoom);

}  // namespace thalweg::geographic
