// Heights on tiles of mixed levels.
#pragma once

#include <memory>
#include <optional>

#include "absl/functional/function_ref.h"
#include "proto/geometry/surface.h"
#include "proto/geometry/vector.h"
#include "thalweg/camera.h"
#include "thalweg/planet.h"
#include "thalweg/tile.h"

namespace thalweg {

// Conversion between the vectors of the public headers and those of `proto`.
inline sphere::Vector ToVector(const Vector3& v) { return {v.east, v.south, v.up}; }
inline sphere::Vector ToVector(const SpaceVector& v) { return {v.x, v.y, v.z}; }
inline SpaceVector ToSpace(const sphere::Vector& v) { return {v.x, v.y, v.z}; }

// The lowest and highest ground in metres, of a tile whose first plane is its height.
double LowestM(const Tile& tile);
double HighestM(const Tile& tile);

// A cell's bilinear patch: height = a + b u + c v + d u v in metres, u and v from 0 to 1.
struct Patch {
  double a, b, c, d;

  // Column and row are 0 to 255.
  Patch(const Tile& tile, int column, int row);
  double At(double u, double v) const { return a + b * u + c * v + d * u * v; }
};

// A place in a tile, in cells from its north-west corner.
struct PlaceInTile {
  double x = 0;
  double y = 0;
};
PlaceInTile InTile(const wire::TileKey& key, const lod::Place& place);

// Returns the smallest t from 0 to `max` with c0 + c1 t + c2 t^2 = 0.
std::optional<double> FirstRoot(double c0, double c1, double c2, double max);

// Returns a tile, whose first plane is its height, or null.
using TileAt = absl::FunctionRef<std::shared_ptr<const Tile>(const wire::TileKey&)>;

// Returns the tile of a level at a place; nothing if no key is valid there.
std::optional<wire::TileKey> KeyAt(const lod::WorldGrid& grid, const lod::Place& place, int level);

struct FinestTile {
  wire::TileKey key;
  std::shared_ptr<const Tile> tile;
};

// Returns the finest loaded tile at a place with all ancestors loaded; null without a level-0 tile.
FinestTile FinestTileAt(const lod::WorldGrid& grid, TileAt tile_at, const lod::Place& place);

// Returns the height in metres, bilinear on that tile; nothing without a tile of level 0.
std::optional<double> GroundHeightAt(const lod::WorldGrid& grid, TileAt tile_at,
                                     const lod::Place& place);

}  // namespace thalweg
