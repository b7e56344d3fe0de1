// StreamTiles: a rectangle of tiles, each as soon as it is finished.
#pragma once

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include "server/calls/engine.h"
#include "server/rpc/admission.h"
#include "server/rpc/call_end.h"

namespace thalweg::rpc {

// How many tiles are asked for beyond those that the caller has taken, if they have room.
inline constexpr std::size_t kStreamWindowTiles = 64;

// Handles a call. The engine and the timer must outlive it.
grpc::ServerWriteReactor<grpc::ByteBuffer>* HandleStreamTiles(const calls::Engine& engine,
                                                              AdmissionPointer admission,
                                                              grpc::CallbackServerContext& context,
                                                              const EndPatience& patience,
                                                              const grpc::ByteBuffer& request);

}  // namespace thalweg::rpc
