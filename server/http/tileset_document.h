// GET /v1/worlds/{world}/3dtiles/tileset.json: a planet as 3D Tiles.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// `volumes`: s2 or boxes; what the planet usually has if it is absent.
void HandleTileset(const Site& site, const TilesetRoute& route, const ExchangePointer& exchange,
                   const ParameterList& parameters);

}  // namespace thalweg::http
