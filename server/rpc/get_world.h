// GetWorld: one world, by name or id.
#pragma once

#include "absl/status/status.h"
#include "server/calls/engine.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::rpc {

// NOT_FOUND names the worlds there are.
absl::Status HandleGetWorld(const calls::Engine& engine, const v1::GetWorldRequest& request,
                            v1::World* response);

}  // namespace thalweg::rpc
