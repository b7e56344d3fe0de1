// CreateWorld: adds a world to the server's.
#pragma once

#include "absl/status/status.h"
#include "server/access/caller.h"
#include "server/calls/engine.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::rpc {

// The world is the caller's. Errors are those of WorldLibrary::Create.
absl::Status HandleCreateWorld(const calls::Engine& engine, const access::Caller& caller,
                               const v1::CreateWorldRequest& request,
                               v1::CreateWorldResponse* response);

}  // namespace thalweg::rpc
