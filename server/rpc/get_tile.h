// GetTile: one tile, sent as the cache has it.
#pragma once

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include "server/calls/engine.h"
#include "server/rpc/admission.h"

namespace thalweg::rpc {

// Handles a call; the engine and the response outlive it.
grpc::ServerUnaryReactor* HandleGetTile(const calls::Engine& engine, AdmissionPointer admission,
                                        const grpc::ByteBuffer& request,
                                        grpc::ByteBuffer* response);

}  // namespace thalweg::rpc
