// DELETE /v1/worlds/{world}: takes back a claim on a created world.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// 204, also when other callers still have a claim on the world; errors are those of
// WorldLibrary::Delete and calls::RunInBackground.
void HandleDeleteWorld(const Site& site, const WorldRoute& route, const ExchangePointer& exchange,
                       const ParameterList& parameters);

}  // namespace thalweg::http
