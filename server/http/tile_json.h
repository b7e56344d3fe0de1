// GET /v1/worlds/{world}/tilejson.json: a window of the plane as a pyramid of map tiles.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

void HandleTileJson(const Site& site, const TileJsonRoute& route, const ExchangePointer& exchange,
                    const ParameterList& parameters);

}  // namespace thalweg::http
