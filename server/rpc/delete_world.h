// DeleteWorld: takes away a created world.
#pragma once

#include "absl/status/status.h"
#include "server/access/caller.h"
#include "server/calls/engine.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::rpc {

// Errors are those of WorldLibrary::Delete; administrators may delete every created world.
absl::Status HandleDeleteWorld(const calls::Engine& engine, const access::Caller& caller,
                               const v1::DeleteWorldRequest& request);

}  // namespace thalweg::rpc
