// GET /v1/worlds/{world}/cesium/layer.json: which tiles of a planet's ground exist.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

void HandleLayerJson(const Site& site, const LayerJsonRoute& route, const ExchangePointer& exchange,
                     const ParameterList& parameters);

}  // namespace thalweg::http
