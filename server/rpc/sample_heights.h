// SampleHeights: the height of the ground at many points.
#pragma once

#include <grpcpp/support/server_callback.h>

#include "server/calls/engine.h"
#include "server/rpc/admission.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::rpc {

// Handles a call. The engine, the request and the response must outlive it.
grpc::ServerUnaryReactor* HandleSampleHeights(const calls::Engine& engine,
                                              AdmissionPointer admission,
                                              const v1::SampleHeightsRequest& request,
                                              v1::SampleHeightsResponse* response);

}  // namespace thalweg::rpc
