// The binary form of subtrees of implicit tiling (3D Tiles 1.1, "Subtree Binary Format").
#pragma once

#include <span>
#include <string>

#include "server/tiles3d/height_bounds.h"

namespace thalweg::tiles3d {

// The number of levels in a subtree's file.
inline constexpr int kSubtreeLevels = 4;

// The number of tiles in a quadtree with this number of levels.
constexpr int TilesOf(int levels) { return ((1 << (2 * levels)) - 1) / 3; }

// The bytes of a subtree. bounds: for each tile that exists, level by level in Morton order; these
// levels are complete, and each tile has content. The bounds become the tiles' metadata, of the
// class "tile" of tileset.json. has_children: whether all subtrees below exist, or none.
std::string EncodeSubtree(std::span<const HeightBounds> bounds, bool has_children);

}  // namespace thalweg::tiles3d
