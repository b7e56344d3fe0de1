// CreateWorld: adds a world to the server's.
#pragma once

#include "server/calls/engine.h"
#include "server/rpc/reply.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::rpc {

// The caller then has a claim on the world. Errors are those of WorldLibrary::Create and
// calls::RunInBackground. The request lives until the reply is given.
void HandleCreateWorld(const calls::Engine& engine, const v1::CreateWorldRequest& request,
                       Reply<v1::CreateWorldResponse> reply);

}  // namespace thalweg::rpc
