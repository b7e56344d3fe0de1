// Where rays meet the ground of planes and of planets.
#pragma once

#include <optional>

#include "client/src/ground/ground.h"
#include "proto/geometry/surface.h"
#include "proto/geometry/vector.h"
#include "thalweg/terrain_view.h"

namespace thalweg {

// Returns where a ray first meets a plane's ground, on the finest loaded tiles, within a distance
// in metres. Nothing if it meets no ground, where no tile is under it, or for a direction without a
// finite length above 0.
std::optional<RayHit> CastRayOnGround(const lod::WorldGrid& grid, TileAt tile_at,
                                      const sphere::Vector& origin, const sphere::Vector& direction,
                                      double max_distance_m);

// Returns where a ray first meets a planet's ground from above or below, on the finest loaded
// tiles, within a distance in metres. Nothing if it meets no ground, where no tile is under it, or
// for a direction without a finite length above 0. Points are in metres from the planet's middle.
std::optional<SpaceRayHit> CastRayInSpace(const lod::Surface& planet, TileAt tile_at,
                                          const sphere::Vector& origin,
                                          const sphere::Vector& direction, double max_distance_m);

}  // namespace thalweg
