// The gRPC service: admits a call and passes it to its handler.
#pragma once

#include <chrono>
#include <cstddef>

#include "server/calls/admission.h"
#include "server/calls/engine.h"
#include "server/rpc/admission.h"
#include "server/sharing/room.h"
#include "server/sharing/threads.h"
#include "thalweg/v1/terrain.grpc.pb.h"

namespace thalweg::rpc {

// GetTile, StreamTiles and Session are raw, since their responses are already serialized;
// CreateWorld, since gRPC itself answers a request that it can't read, and with UNIMPLEMENTED.
// Reflection and clients still see the methods of terrain.proto.
using RawMethods = v1::TerrainService::WithRawCallbackMethod_GetTile<
    v1::TerrainService::WithRawCallbackMethod_StreamTiles<
        v1::TerrainService::WithRawCallbackMethod_Session<
            v1::TerrainService::WithRawCallbackMethod_CreateWorld<v1::TerrainService::Service>>>>;
using TerrainMethods = v1::TerrainService::WithCallbackMethod_ListWorlds<
    v1::TerrainService::WithCallbackMethod_GetWorld<
        v1::TerrainService::WithCallbackMethod_SampleHeights<
            v1::TerrainService::WithCallbackMethod_DeleteWorld<RawMethods>>>>;

class TerrainService final : public TerrainMethods {
 public:
  // The gate must outlive the service. session_bytes: see RpcOptions; end_patience: see RpcLimits.
  TerrainService(const calls::Engine& engine, calls::CallGate* gate, std::size_t session_bytes,
                 std::chrono::milliseconds end_patience);

  grpc::ServerUnaryReactor* ListWorlds(grpc::CallbackServerContext* context,
                                       const v1::ListWorldsRequest* request,
                                       v1::ListWorldsResponse* response) override;
  grpc::ServerUnaryReactor* GetWorld(grpc::CallbackServerContext* context,
                                     const v1::GetWorldRequest* request,
                                     v1::GetWorldResponse* response) override;
  grpc::ServerUnaryReactor* GetTile(grpc::CallbackServerContext* context,
                                    const grpc::ByteBuffer* request,
                                    grpc::ByteBuffer* response) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* StreamTiles(grpc::CallbackServerContext* context,
                                                          const grpc::ByteBuffer* request) override;
  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* Session(
      grpc::CallbackServerContext* context) override;
  grpc::ServerUnaryReactor* SampleHeights(grpc::CallbackServerContext* context,
                                          const v1::SampleHeightsRequest* request,
                                          v1::SampleHeightsResponse* response) override;
  grpc::ServerUnaryReactor* CreateWorld(grpc::CallbackServerContext* context,
                                        const grpc::ByteBuffer* request,
                                        grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* DeleteWorld(grpc::CallbackServerContext* context,
                                        const v1::DeleteWorldRequest* request,
                                        v1::DeleteWorldResponse* response) override;

 private:
  // Every method must call this first.
  absl::StatusOr<AdmissionPointer> Admit(calls::Method method, grpc::CallbackServerContext& context,
                                         access::Scope scope) const {
    return rpc::Admit(engine_, *gate_, method, context, scope);
  }

  const calls::Engine engine_;
  calls::CallGate* const gate_;
  sharing::TimerThreads timer_;
  sharing::Room room_;
  const EndPatience patience_;
};

}  // namespace thalweg::rpc
