// DeleteWorld: takes back a claim on a created world.
#pragma once

#include "server/calls/engine.h"
#include "server/rpc/reply.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::rpc {

// Errors are those of WorldLibrary::Delete and calls::RunInBackground; administrators may delete
// every created world. The request lives until the reply is given.
void HandleDeleteWorld(const calls::Engine& engine, const v1::DeleteWorldRequest& request,
                       Reply<v1::DeleteWorldResponse> reply);

}  // namespace thalweg::rpc
