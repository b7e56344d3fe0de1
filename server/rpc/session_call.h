// Session: a client that says where it looks, and the tiles that it gets for it.
#pragma once

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include "server/calls/engine.h"
#include "server/rpc/admission.h"
#include "server/session/planner.h"

namespace thalweg::rpc {

// Handles a call; engine and planner outlive it.
grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* HandleSession(
    const calls::Engine& engine, session::Planner& planner, Admission admission);

}  // namespace thalweg::rpc
