// The requests about worlds: GET and POST /v1/worlds, GET and DELETE /v1/worlds/{world}.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// A page of the worlds, ordered by name. The parameters page_size and page_token are those of
// ListWorlds.
void HandleGetWorlds(const Site& site, Exchange& exchange, const ParameterList& parameters);

// One world, by name or id.
void HandleGetWorld(const Site& site, const WorldRoute& route, const ExchangePointer& exchange,
                    const ParameterList& parameters);

// Adds a world. The body is its specification. 201, or 200 if the same terrain already has a world.
// Errors are those of WorldLibrary::Create and calls::SharedWorkers::Run.
void HandleCreateWorld(const Site& site, const ExchangePointer& exchange,
                       const ParameterList& parameters);

// Withdraws a claim on a created world. 204, also if other callers still have a claim on the world.
// Errors are those of WorldLibrary::Delete and calls::SharedWorkers::Run.
void HandleDeleteWorld(const Site& site, const WorldRoute& route, const ExchangePointer& exchange,
                       const ParameterList& parameters);

}  // namespace thalweg::http
