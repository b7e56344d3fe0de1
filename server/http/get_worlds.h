// GET /v1/worlds: a page of the worlds, ordered by name.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// The parameters page_size and page_token are those of ListWorlds.
void HandleGetWorlds(const Site& site, Exchange& exchange, const ParameterList& parameters);

}  // namespace thalweg::http
