// GET /v1/worlds/{world}/3dtiles/tileset.json: a planet as 3D Tiles. boxes.json: the same with
// boxes as bounding volumes.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

void HandleTileset(const Site& site, const TilesetRoute& route, const ExchangePointer& exchange,
                   const ParameterList& parameters);

}  // namespace thalweg::http
