// Rays over a plane.
#pragma once

#include <optional>

#include "client/src/ground/ground.h"
#include "thalweg/terrain_view.h"

namespace thalweg {

// Returns where a ray first meets a plane's ground, on the finest loaded tiles, within a distance
// in metres. Nothing if it meets no ground, where no tile is under it, or for a direction without a
// finite length above 0.
std::optional<RayHit> CastRayOnGround(const lod::Grid& grid, TileAt tile_at,
                                      const lod::Vector& origin, const lod::Vector& direction,
                                      double max_distance_m);

}  // namespace thalweg
