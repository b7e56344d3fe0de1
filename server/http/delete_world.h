// DELETE /v1/worlds/{world}: withdraws a claim on a created world.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// 204, also if other callers still have a claim on the world. Errors are those of
// WorldLibrary::Delete and calls::RunInBackground.
void HandleDeleteWorld(const Site& site, const WorldRoute& route, const ExchangePointer& exchange,
                       const ParameterList& parameters);

}  // namespace thalweg::http
