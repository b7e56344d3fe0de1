// A planet: the six faces of a cube on a sphere (proto/sphere).
#pragma once

#include "proto/lod/surface.h"

namespace thalweg::lod {

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
