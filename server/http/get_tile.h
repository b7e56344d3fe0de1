// GET /v1/worlds/{world}/tiles/{level}/{x}/{y}.{ext}, and the same by XYZ's pyramid.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// See AnswerTile.
void HandleGetTile(const Site& site, const TileRoute& route, const ExchangePointer& exchange,
                   const ParameterList& parameters);

}  // namespace thalweg::http
