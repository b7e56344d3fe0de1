// GetWorld: one world, by name or id.
#pragma once

#include "server/calls/engine.h"
#include "server/rpc/reply.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::rpc {

// NOT_FOUND names existing worlds. The request lives until the reply is given.
void HandleGetWorld(const calls::Engine& engine, const v1::GetWorldRequest& request,
                    Reply<v1::GetWorldResponse> reply);

}  // namespace thalweg::rpc
