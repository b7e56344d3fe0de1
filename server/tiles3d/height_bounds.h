// The height ranges of a subtree's tiles, from the heights of its root.
#pragma once

#include <cstdint>
#include <span>

#include "server/tiles3d/cell.h"
#include "server/world/world.h"

namespace thalweg::tiles3d {

// In metres above the ellipsoid, skirts included.
struct HeightBounds {
  double min_m = 0;
  double max_m = 0;
};

// Bounds for any ground that the world can have.
HeightBounds WidestBounds(const world::World& world);

class SubtreeHeights {
 public:
  // heights: 257 x 257 of the root's tile, in 1/65,536 m.
  SubtreeHeights(const world::World& world, const Cell& root, std::span<const std::int32_t> heights)
      : world_(world), root_(root), heights_(heights) {}

  // The bounds of the root's cell, or of a cell up to 8 levels below: those of the root's vertices
  // in its place, widened by MarginM of the root's level, since finer levels may add ground.
  HeightBounds Of(const Cell& cell) const;

 private:
  const world::World& world_;
  const Cell root_;
  const std::span<const std::int32_t> heights_;
};

}  // namespace thalweg::tiles3d
