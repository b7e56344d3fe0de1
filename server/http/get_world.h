// GET /v1/worlds/{world}: one world, by name or id.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

void HandleGetWorld(const Site& site, const WorldRoute& route, const ExchangePointer& exchange,
                    const ParameterList& parameters);

}  // namespace thalweg::http
