// Session: a client sends its views, and gets the tiles for them.
#pragma once

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include "server/calls/engine.h"
#include "server/rpc/admission.h"
#include "server/sharing/room.h"
#include "server/sharing/threads.h"

namespace thalweg::rpc {

// What the sessions of a server share.
struct SessionParts {
  sharing::Timer* timer = nullptr;
  sharing::Room* room = nullptr;
  EndPatience patience;
};

// Handles a call. The engine and the parts must outlive it.
grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* HandleSession(
    const calls::Engine& engine, const SessionParts& parts, AdmissionPointer admission,
    grpc::CallbackServerContext& context);

}  // namespace thalweg::rpc
