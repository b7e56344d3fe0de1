// What the ground of a world lies on. Whatever is not the same on a plane and on a planet is asked
// here: which tiles touch, where they lie in space, and what can be seen of them.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "proto/lod/frustum.h"
#include "proto/lod/grid.h"
#include "proto/lod/view.h"
#include "proto/wire/tile_key.h"

namespace thalweg::lod {

// The face of a key that stands where there is no tile: nothing is found by it.
inline constexpr int kNoFace = -1;
inline bool IsTile(const wire::TileKey& key) { return key.face != kNoFace; }

// The tiles of the same level that touch one, by an edge or a corner, by their direction: row by
// row from the north-west one. Where the tile lies at a corner of a planet's face there is none in
// that corner's direction: three tiles meet there, not four.
using Touching = std::array<wire::TileKey, 8>;

// The tiles of the next coarser level that cover one and all that touch it: row by row from the
// north-west one. Beyond a corner of a planet's face there is none.
using CoarserAround = std::array<wire::TileKey, 4>;

// A place on the datum, in tiles of level 0: from the west to the east and from the north to the
// south of its face.
struct Place {
  int face = 0;
  double x = 0;
  double y = 0;
};

// The place of a tile's vertex; column and row are 0 to 256.
Place PlaceOf(const wire::TileKey& key, int column, int row);

// In metres above the datum.
struct Heights {
  double min_m = 0;
  double max_m = 0;
};

// Who looks at tiles.
struct Viewer {
  Vector position;
  Frustum frustum;
  // The lowest ground of the world; absent while it is not known, and nothing is hidden by it.
  std::optional<double> lowest_m;
};

// How a tile's ground lies to a viewer.
struct Sight {
  // To the nearest point of the space that the ground takes, in metres; 0 inside.
  double distance_m = 0;
  // The same along the datum, whatever the heights.
  double horizontal_m = 0;
  // Whether the picture may show it: never false for what can be seen.
  bool may_show = false;
};

// Immutable; shared freely between threads.
class Surface {
 public:
  explicit Surface(const Grid& grid) : grid_(grid) {}
  virtual ~Surface() = default;
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  const Grid& grid() const { return grid_; }

  // OUT_OF_RANGE, naming the range, unless the world has the tile.
  absl::Status Check(const wire::TileKey& key) const {
    return wire::CheckTileKey(key, ShapeOf(grid_), grid_.levels);
  }

  virtual Touching TouchingOf(const wire::TileKey& key) const = 0;
  // The key must not be of level 0.
  virtual CoarserAround ParentsAround(const wire::TileKey& key) const = 0;
  // The tiles of level 0 with ground within a distance of a point along the datum, in metres; all
  // six of a planet, which is drawn whole.
  virtual std::vector<wire::TileKey> RootsWithin(const Vector& point, double distance_m) const = 0;

  // Directions of length 1, wherever the point is. At a pole every direction is one to the south
  // or the north, and this one is that of longitude 0 or 180°.
  virtual Vector UpAt(const Vector& point) const = 0;
  virtual Vector NorthAt(const Vector& point) const = 0;
  // Of a point over the datum, in metres.
  virtual double HeightOf(const Vector& point) const = 0;
  // The place that a point is over, and the point over a place.
  virtual Place PlaceUnder(const Vector& point) const = 0;
  virtual Vector PointOver(const Place& place, double height_m) const = 0;

  // Of a tile whose ground lies between two heights.
  virtual Sight SightOf(const wire::TileKey& key, const Heights& heights,
                        const Viewer& viewer) const = 0;

 private:
  const Grid grid_;
};

// That of a world.
std::unique_ptr<const Surface> SurfaceOf(const Grid& grid);

// The viewer that a view is of.
Viewer ViewerOf(const View& view, const Surface& surface, std::optional<double> lowest_m);

}  // namespace thalweg::lod
