// What all TileJSON documents have in common.
#pragma once

#include "server/world/world.h"
#include "thalweg/v1/http.pb.h"

namespace thalweg::http {

// The max latitude of web maps: 2 atan(e^pi) - 90 degrees.
inline constexpr double kMercatorLatitude = 85.0511287798066;

// The part that every TileJSON of a world has.
v1::TileJson TileJsonOf(const world::World& world);

}  // namespace thalweg::http
