// GetTile: one tile, sent as the cache holds it.
#pragma once

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include "server/calls/engine.h"
#include "server/rpc/admission.h"

namespace thalweg::rpc {

// Handles a call. The engine and the response must outlive it.
grpc::ServerUnaryReactor* HandleGetTile(const calls::Engine& engine, AdmissionPointer admission,
                                        const grpc::ByteBuffer& request,
                                        grpc::ByteBuffer* response);

}  // namespace thalweg::rpc
