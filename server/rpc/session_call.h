// Session: a client that says where it looks, and the tiles that it gets for it.
#pragma once

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include "server/rpc/admission.h"
#include "server/rpc/engine.h"

namespace thalweg::rpc {

// Handles a call; the engine outlives it.
grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* HandleSession(const Engine& engine,
                                                                           Admission admission);

}  // namespace thalweg::rpc
