// POST /v1/worlds: adds a world, whose specification is the body.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// 201, or 200 if the same terrain was there already; errors are those of WorldLibrary::Create and
// calls::RunInBackground.
void HandleCreateWorld(const Site& site, const ExchangePointer& exchange,
                       const ParameterList& parameters);

}  // namespace thalweg::http
