// The surface that a world's ground lies on. It has everything that differs between a plane and a
// planet: which tiles touch, where they lie in space, and what can be seen of them.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "proto/geometry/vector.h"
#include "proto/geometry/view.h"
#include "proto/wire/tile_key.h"

namespace thalweg::lod {

// How a world is divided into levels of tiles.
struct WorldGrid {
  // The spacing of level 0's vertices in metres; it halves with each level. On a planet the mean.
  double cell_size_m = 1;
  int levels = 1;
  // The planet's radius in metres; 0: the world is an infinite plane.
  double radius_m = 0;

  friend bool operator==(const WorldGrid&, const WorldGrid&) = default;
};

wire::Shape ShapeOf(const WorldGrid& grid);

// Returns the spacing of a level's vertices, in metres.
double CellSizeM(const WorldGrid& grid, int level);

// Returns the side of a level's tiles, in metres.
double TileSizeM(const WorldGrid& grid, int level);

// The face of a key that means "no tile". No tile is ever found under such a key.
inline constexpr int kNoFace = -1;
inline bool IsTile(const wire::TileKey& key) { return key.face != kNoFace; }

// The tiles of the same level that touch a tile by an edge or a corner, by their direction: row by
// row from the north-west. At a corner of a planet's face only three tiles meet, so there is no
// tile in that corner's direction.
using Touching = std::array<wire::TileKey, 8>;

// The tiles of the next coarser level that cover a tile and all tiles that touch it: row by row
// from the north-west. There is no tile beyond a corner of a planet's face.
using CoarserAround = std::array<wire::TileKey, 4>;

// A place on the datum, in tiles of level 0: from west to east and from north to south on its face.
struct Place {
  int face = 0;
  double x = 0;
  double y = 0;
};

// Returns the place of a tile's vertex; column and row are 0 to 256.
Place PlaceOf(const wire::TileKey& key, int column, int row);

// A range of heights, in metres above the datum.
struct Heights {
  double min_m = 0;
  double max_m = 0;
};

// A camera that looks at tiles.
struct Viewer {
  sphere::Vector position;
  Frustum frustum;
  // The lowest ground of the world. While it is unknown, it is absent and hides nothing.
  std::optional<double> lowest_m;
};

// How a viewer sees a tile's ground.
struct Sight {
  // The distance to the nearest point of the space that the ground takes, in metres; 0 inside.
  double distance_m = 0;
  // The same along the datum, regardless of heights.
  double horizontal_m = 0;
  // Whether the picture may show it: never false for visible ground.
  bool may_show = false;
};

// The surface of a world. Immutable; threads may share it.
class Surface {
 public:
  explicit Surface(const WorldGrid& grid) : grid_(grid) {}
  virtual ~Surface() = default;
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  const WorldGrid& grid() const { return grid_; }

  // OUT_OF_RANGE, naming the range, unless the world has the tile.
  absl::Status Check(const wire::TileKey& key) const {
    return wire::CheckTileKey(key, ShapeOf(grid_), grid_.levels);
  }

  virtual Touching TouchingOf(const wire::TileKey& key) const = 0;
  // Like CoarserAround; the key must not be of level 0.
  virtual CoarserAround ParentsAround(const wire::TileKey& key) const = 0;
  // The level-0 tiles with ground within a distance of a point along the datum, in metres; all six
  // on a planet, which is drawn whole.
  virtual std::vector<wire::TileKey> RootsWithin(const sphere::Vector& point,
                                                 double distance_m) const = 0;

  // Directions of length 1, for every point. At a pole, where every direction is north or south,
  // north is the direction of longitude 0 or 180°.
  virtual sphere::Vector UpAt(const sphere::Vector& point) const = 0;
  virtual sphere::Vector NorthAt(const sphere::Vector& point) const = 0;
  // The height of a point over the datum, in metres.
  virtual double HeightOf(const sphere::Vector& point) const = 0;
  // The place that a point is over; and the point over a place.
  virtual Place PlaceUnder(const sphere::Vector& point) const = 0;
  virtual sphere::Vector PointOver(const Place& place, double height_m) const = 0;

  // How a viewer sees a tile whose ground lies between two heights.
  virtual Sight SightOf(const wire::TileKey& key, const Heights& heights,
                        const Viewer& viewer) const = 0;

 private:
  const WorldGrid grid_;
};

// Returns the surface of a world.
std::unique_ptr<const Surface> SurfaceOf(const WorldGrid& grid);

// Returns the viewer of a view.
Viewer ViewerOf(const View& view, const Surface& surface, std::optional<double> lowest_m);

// The infinite plane.
class Plane final : public Surface {
 public:
  using Surface::Surface;

  Touching TouchingOf(const wire::TileKey& key) const override;
  CoarserAround ParentsAround(const wire::TileKey& key) const override;
  std::vector<wire::TileKey> RootsWithin(const sphere::Vector& point,
                                         double distance_m) const override;
  sphere::Vector UpAt(const sphere::Vector& point) const override;
  sphere::Vector NorthAt(const sphere::Vector& point) const override;
  double HeightOf(const sphere::Vector& point) const override;
  Place PlaceUnder(const sphere::Vector& point) const override;
  sphere::Vector PointOver(const Place& place, double height_m) const override;
  Sight SightOf(const wire::TileKey& key, const Heights& heights,
                const Viewer& viewer) const override;
};

// A tile's part of the unit sphere, between four great circles: straight lines on a cube's face are
// great circles on the sphere.
class TilePatch {
 public:
  explicit TilePatch(const wire::TileKey& key);

  // The length of the chord from a direction of length 1 to the nearest of the patch; 0 inside.
  double ChordTo(const sphere::Vector& direction) const;

  // A ball around everything over the patch between two radii of 0 or more, in metres.
  Ball BallAround(double min_radius_m, double max_radius_m) const;

 private:
  // A vector in coordinates of the face: x along its middle, y and z along its own x and y.
  sphere::Vector OnFace(const sphere::Vector& vector) const;
  // The chord to the nearest direction among those from (1, a[0], a[1]) to (1, b[0], b[1]).
  static double ChordToEdge(const sphere::Vector& direction, const sphere::Vector& a,
                            const sphere::Vector& b);

  int face_;
  // The tile's sides on the cube's face, from -1 to 1.
  double west_;
  double east_;
  double north_;
  double south_;
};

// The surface of a planet: the six faces of a cube on a sphere (proto/geometry). The grid must have
// a radius.
class CubeSphere final : public Surface {
 public:
  using Surface::Surface;

  Touching TouchingOf(const wire::TileKey& key) const override;
  CoarserAround ParentsAround(const wire::TileKey& key) const override;
  std::vector<wire::TileKey> RootsWithin(const sphere::Vector& point,
                                         double distance_m) const override;
  sphere::Vector UpAt(const sphere::Vector& point) const override;
  sphere::Vector NorthAt(const sphere::Vector& point) const override;
  double HeightOf(const sphere::Vector& point) const override;
  Place PlaceUnder(const sphere::Vector& point) const override;
  sphere::Vector PointOver(const Place& place, double height_m) const override;
  // Tiles that lie wholly below the horizon of the lowest ground are not shown.
  Sight SightOf(const wire::TileKey& key, const Heights& heights,
                const Viewer& viewer) const override;
};

}  // namespace thalweg::lod
