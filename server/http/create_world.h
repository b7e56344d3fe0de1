// POST /v1/worlds: adds a world. The body is its specification.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// 201, or 200 if the same terrain already has a world. Errors are those of WorldLibrary::Create and
// calls::RunInBackground.
void HandleCreateWorld(const Site& site, const ExchangePointer& exchange,
                       const ParameterList& parameters);

}  // namespace thalweg::http
