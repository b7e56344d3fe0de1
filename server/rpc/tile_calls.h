// The calls that answer with tiles and heights.
#pragma once

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include "server/calls/engine.h"
#include "server/rpc/admission.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::rpc {

// GetTile: one tile, sent as the cache holds it. Handles a call. The engine and the response must
// outlive it.
grpc::ServerUnaryReactor* HandleGetTile(const calls::Engine& engine, AdmissionPointer admission,
                                        const grpc::ByteBuffer& request,
                                        grpc::ByteBuffer* response);

// SampleHeights: the height of the ground at many points. Handles a call. The engine, the request
// and the response must outlive it.
grpc::ServerUnaryReactor* HandleSampleHeights(const calls::Engine& engine,
                                              AdmissionPointer admission,
                                              const v1::SampleHeightsRequest& request,
                                              v1::SampleHeightsResponse* response);

// How many tiles a stream asks for beyond those that the caller has taken, if they have room.
inline constexpr std::size_t kStreamWindowTiles = 64;

// StreamTiles: a rectangle of tiles, each as soon as it is finished. Handles a call. The engine and
// the timer must outlive it.
grpc::ServerWriteReactor<grpc::ByteBuffer>* HandleStreamTiles(const calls::Engine& engine,
                                                              AdmissionPointer admission,
                                                              grpc::CallbackServerContext& context,
                                                              const EndPatience& patience,
                                                              const grpc::ByteBuffer& request);

}  // namespace thalweg::rpc
