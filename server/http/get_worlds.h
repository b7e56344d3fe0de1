// GET /v1/worlds: a page of the worlds, ordered by name.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// ?page_size= and ?page_token= as in ListWorlds.
void HandleGetWorlds(const Site& site, Exchange& exchange, const ParameterList& parameters);

}  // namespace thalweg::http
