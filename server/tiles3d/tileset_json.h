// Tilesets of 3D Tiles 1.1 (OGC 22-025r4) as JSON.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "server/tiles3d/height_bounds.h"
#include "server/world/world.h"

namespace thalweg::tiles3d {

// The kind of tiles' bounding volumes.
enum class Volumes {
  // S2's cells (3DTILES_bounding_volume_S2) with implicit tiling: for planets on WGS 84.
  kS2,
  // Boxes, given for each tile: for all planets.
  kBoxes,
};

// S2's cells for a planet like the Earth, else boxes.
Volumes UsualVolumes(const world::World& world);

// INVALID_ARGUMENT for S2's cells of another planet.
absl::Status CheckVolumes(const world::World& world, Volumes volumes);

// The planet: six faces under a sphere. URLs are relative to /v1/worlds/{world}/3dtiles/ and name
// the world by its id, so that their targets never change.
std::string TilesetJson(const world::World& world, Volumes volumes);

// A cell and kSubtreeLevels of those below it, with boxes. The last ones refer to tilesets of their
// own, under the same path.
std::string ExternalTilesetJson(const world::World& world, const Cell& root,
                                const SubtreeHeights& heights);

}  // namespace thalweg::tiles3d
