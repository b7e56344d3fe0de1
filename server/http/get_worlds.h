// GET /v1/worlds: all worlds, ordered by name.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

void HandleGetWorlds(const Site& site, Exchange& exchange, const ParameterList& parameters);

}  // namespace thalweg::http
