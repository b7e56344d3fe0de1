// Tilesets of 3D Tiles 1.1 (OGC 22-025r4) as JSON.
#pragma once

#include <array>
#include <string>

#include "absl/status/status.h"
#include "proto/geometry/cube_sphere.h"
#include "server/geographic/ellipsoid.h"
#include "server/tiles3d/cell.h"
#include "server/world/world.h"

namespace thalweg::tiles3d {

// Boxes around tiles, for planets that are not like the Earth.
struct Box {
  sphere::Vector center;
  // Vectors from the centre to three faces of the box.
  std::array<sphere::Vector, 3> half_axes;
};

// A box around all ground of a cell between two heights. It is upright at the cell's middle, and
// along the two lines of the cell through that point.
Box BoxAround(const Cell& cell, const geographic::Ellipsoid& ellipsoid, const HeightBounds& bounds);

// The kind of the tiles' bounding volumes.
enum class Volumes {
  // S2's cells (3DTILES_bounding_volume_S2) with implicit tiling: for planets on WGS 84.
  kS2,
  // Boxes, one listed for each tile: for all planets.
  kBoxes,
};

// S2's cells for a planet like the Earth, else boxes.
Volumes UsualVolumes(const world::World& world);

// INVALID_ARGUMENT for S2's cells on a planet that is not like the Earth.
absl::Status CheckVolumes(const world::World& world, Volumes volumes);

// The planet: a root with a sphere, and six faces below it. URLs are relative to
// /v1/worlds/{world}/3dtiles/ and contain the world's id, so that their targets never change.
std::string TilesetJson(const world::World& world, Volumes volumes);

// A cell and kSubtreeLevels levels below it, with boxes. The last level refers to further tilesets,
// under the same path.
std::string ExternalTilesetJson(const world::World& world, const Cell& root,
                                const SubtreeHeights& heights);

}  // namespace thalweg::tiles3d
