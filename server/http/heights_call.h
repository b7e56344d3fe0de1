// Heights at points and along lines: POST /v1/worlds/{world}/heights.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// Answers with the heights of the points in the request's body, as JSON or CSV.
void HandleHeights(const Site& site, const HeightsRoute& route, const ExchangePointer& exchange,
                   const ParameterList& parameters);

}  // namespace thalweg::http
