// GET /v1/worlds/{world}/tiles/{level}/{x}/{y}.{ext}, and the same for XYZ tiles of web maps.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// See AnswerTile.
void HandleGetTile(const Site& site, const TileRoute& route, const ExchangePointer& exchange,
                   const ParameterList& parameters);

}  // namespace thalweg::http
