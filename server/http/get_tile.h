// GET /v1/worlds/{world}/tiles/{level}/{x}/{y}.{ext}, and the same by XYZ's pyramid.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// 304 before anything is generated; a caller who goes away has the work cancelled; a full queue or
// a used-up budget is waited for until the request's time is over.
void HandleGetTile(const Site& site, const TileRoute& route, const ExchangePointer& exchange,
                   const ParameterList& parameters);

}  // namespace thalweg::http
