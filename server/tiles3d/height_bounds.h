// Between which heights the ground of a subtree's tiles lies, from the heights of its root.
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

// Of all ground that there can be.
HeightBounds WidestBounds(const world::World& world);

class SubtreeHeights {
 public:
  // 257 x 257 heights of the root's tile, in 1/65,536 m.
  SubtreeHeights(const world::World& world, const Cell& root, std::span<const std::int32_t> heights)
      : world_(world), root_(root), heights_(heights) {}

  // Of a cell of the root or up to 8 levels below it: those of the root's vertices in its place,
  // and MarginM of the root's level beyond, for what finer levels may add.
  HeightBounds Of(const Cell& cell) const;

 private:
  const world::World& world_;
  const Cell root_;
  const std::span<const std::int32_t> heights_;
};

}  // namespace thalweg::tiles3d
