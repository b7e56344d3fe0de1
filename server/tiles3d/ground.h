// The places of a tile's ground in space.
#pragma once

#include "proto/sphere/cube_sphere.h"
#include "proto/wire/tile_key.h"
#include "server/world/world.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg::tiles3d {

// The direction of a tile's vertex; columns and rows are from 0 to 256. Tiles compute shared
// vertices alike, to the last bit, also at an edge of two faces.
sphere::Point DirectionOf(const wire::TileKey& key, int column, int row);

// The layer that is shown as ground: the visible surface, with that of standing water.
v1::Layer SurfaceOf(const world::World& world);

}  // namespace thalweg::tiles3d
