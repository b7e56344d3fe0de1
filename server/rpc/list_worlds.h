// ListWorlds: a page of the worlds, ordered by name.
#pragma once

#include "absl/status/status.h"
#include "server/calls/engine.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::rpc {

// Errors are those of calls::PageOf.
absl::Status HandleListWorlds(const calls::Engine& engine, const v1::ListWorldsRequest& request,
                              v1::ListWorldsResponse* response);

}  // namespace thalweg::rpc
