// A planet: the six faces of a cube on a sphere (proto/sphere).
#pragma once

#include <array>

#include "proto/lod/surface.h"
#include "proto/lod/view.h"
#include "proto/wire/tile_key.h"

namespace thalweg::lod {

// A tile's part of the unit sphere, between four great circles: straight lines on a cube's face are
// great circles on the sphere.
class TilePatch {
 public:
  explicit TilePatch(const wire::TileKey& key);

  // The length of the chord from a direction of length 1 to the nearest of the patch; 0 inside.
  double ChordTo(const Vector& direction) const;

  // A ball around everything over the patch between two radii of 0 or more, in metres.
  Ball BallAround(double min_radius_m, double max_radius_m) const;

 private:
  // A vector in coordinates of the face: x along its middle, y and z along its own x and y.
  Vector OnFace(const Vector& vector) const;
  // The chord to the nearest direction among those from (1, a[0], a[1]) to (1, b[0], b[1]).
  static double ChordToEdge(const Vector& direction, const Vector& a, const Vector& b);

  int face_;
  // The tile's sides on the cube's face, from -1 to 1.
  double west_;
  double east_;
  double north_;
  double south_;
};

// The surface of a planet. The grid must have a radius.
class CubeSphere final : public Surface {
 public:
  using Surface::Surface;

  Touching TouchingOf(const wire::TileKey& key) const override;
  CoarserAround ParentsAround(const wire::TileKey& key) const override;
  std::vector<wire::TileKey> RootsWithin(const Vector& point, double distance_m) const override;
  Vector UpAt(const Vector& point) const override;
  Vector NorthAt(const Vector& point) const override;
  double HeightOf(const Vector& point) const override;
  Place PlaceUnder(const Vector& point) const override;
  Vector PointOver(const Place& place, double height_m) const override;
  // Tiles that lie wholly below the horizon of the lowest ground are not shown.
  Sight SightOf(const wire::TileKey& key, const Heights& heights,
                const Viewer& viewer) const override;
};

}  // namespace thalweg::lod
