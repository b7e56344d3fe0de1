// GET /v1/worlds/{world}/tilejson.json: a window of the plane as a pyramid of map tiles.
#pragma once

#include "server/http/site.h"
#include "thalweg/v1/http.pb.h"

namespace thalweg::http {

// The max latitude of web maps: 2 atan(e^pi) - 90 degrees.
inline constexpr double kMercatorLatitude = 85.0511287798066;

// The part that every TileJSON of a world has.
v1::TileJson TileJsonOf(const world::World& world);

void HandleTileJson(const Site& site, const TileJsonRoute& route, const ExchangePointer& exchange,
                    const ParameterList& parameters);

}  // namespace thalweg::http
