// The calls about worlds. Requests must live until the reply is given.
#pragma once

#include "absl/status/status.h"
#include "server/calls/engine.h"
#include "server/rpc/reply.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::rpc {

// A page of the worlds, ordered by name. Errors are those of calls::PageOf.
absl::Status HandleListWorlds(const calls::Engine& engine, const v1::ListWorldsRequest& request,
                              v1::ListWorldsResponse* response);

// One world, by name or id. NOT_FOUND names existing worlds.
void HandleGetWorld(const calls::Engine& engine, const v1::GetWorldRequest& request,
                    Reply<v1::GetWorldResponse> reply);

// Adds a world, on which the caller then has a claim. Errors are those of WorldLibrary::Create and
// calls::SharedWorkers::Run; INVALID_ARGUMENT for bytes that are no CreateWorldRequest.
void HandleCreateWorld(const calls::Engine& engine, const grpc::ByteBuffer& bytes,
                       Reply<grpc::ByteBuffer> reply);

// Withdraws a claim on a created world. Administrators may delete any created world. Errors are
// those of WorldLibrary::Delete and calls::SharedWorkers::Run.
void HandleDeleteWorld(const calls::Engine& engine, const v1::DeleteWorldRequest& request,
                       Reply<v1::DeleteWorldResponse> reply);

}  // namespace thalweg::rpc
