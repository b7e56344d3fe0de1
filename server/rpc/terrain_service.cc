#include "server/rpc/terrain_service.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "server/rpc/get_tile.h"
#include "server/rpc/reply.h"
#include "server/rpc/sample_heights.h"
#include "server/rpc/session_call.h"
#include "server/rpc/status.h"
#include "server/rpc/stream_tiles.h"
#include "server/rpc/world_calls.h"

namespace thalweg::rpc {
namespace {

using access::Scope;

grpc::ServerUnaryReactor* Refuse(grpc::CallbackServerContext* context, const absl::Status& status) {
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  reactor->Finish(ToGrpcStatus(status));
  return reactor;
}

// A stream that ends at once, with an error.
template <typename Reactor>
class Refusal final : public Reactor {
 public:
  explicit Refusal(const absl::Status& status) { this->Finish(ToGrpcStatus(status)); }
  void OnDone() override { delete this; }
};

// Half of the processor's threads; the others are for other calls, and for reading and writing.
int PlannerThreadCount() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / 2);
}

using TileWriter = grpc::ServerWriteReactor<grpc::ByteBuffer>;
using SessionReactor = grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>;

}  // namespace

TerrainService::TerrainService(const calls::Engine& engine, calls::CallGate* gate,
                               std::size_t session_bytes, std::chrono::milliseconds end_patience)
    : engine_(engine),
      gate_(gate),
      planner_(PlannerThreadCount()),
      room_(session_bytes),
      patience_{.timer = &planner_, .time = end_patience} {}

grpc::ServerUnaryReactor* TerrainService::ListWorlds(grpc::CallbackServerContext* context,
                                                     const v1::ListWorldsRequest* request,
                                                     v1::ListWorldsResponse* response) {
  auto call = Admit(calls::Method::kListWorlds, *context, Scope::kRead);
  if (!call.ok()) return Refuse(context, call.status());
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  Reply<v1::ListWorldsResponse>(reactor, *std::move(call), response)
      .End(HandleListWorlds(engine_, *request, response));
  return reactor;
}

grpc::ServerUnaryReactor* TerrainService::GetWorld(grpc::CallbackServerContext* context,
                                                   const v1::GetWorldRequest* request,
                                                   v1::GetWorldResponse* response) {
  auto call = Admit(calls::Method::kGetWorld, *context, Scope::kRead);
  if (!call.ok()) return Refuse(context, call.status());
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  HandleGetWorld(engine_, *request, {reactor, *std::move(call), response});
  return reactor;
}

grpc::ServerUnaryReactor* TerrainService::GetTile(grpc::CallbackServerContext* context,
                                                  const grpc::ByteBuffer* request,
                                                  grpc::ByteBuffer* response) {
  auto call = Admit(calls::Method::kGetTile, *context, Scope::kRead);
  if (!call.ok()) return Refuse(context, call.status());
  return HandleGetTile(engine_, *std::move(call), *request, response);
}

TileWriter* TerrainService::StreamTiles(grpc::CallbackServerContext* context,
                                        const grpc::ByteBuffer* request) {
  auto call = Admit(calls::Method::kStreamTiles, *context, Scope::kRead);
  if (!call.ok()) return new Refusal<TileWriter>(call.status());
  return HandleStreamTiles(engine_, *std::move(call), *context, patience_, *request);
}

grpc::ServerUnaryReactor* TerrainService::CreateWorld(grpc::CallbackServerContext* context,
                                                      const grpc::ByteBuffer* request,
                                                      grpc::ByteBuffer* response) {
  auto call = Admit(calls::Method::kCreateWorld, *context, Scope::kCreateWorlds);
  if (!call.ok()) return Refuse(context, call.status());
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  HandleCreateWorld(engine_, *request, {reactor, *std::move(call), response});
  return reactor;
}

grpc::ServerUnaryReactor* TerrainService::DeleteWorld(grpc::CallbackServerContext* context,
                                                      const v1::DeleteWorldRequest* request,
                                                      v1::DeleteWorldResponse* response) {
  auto call = Admit(calls::Method::kDeleteWorld, *context, Scope::kCreateWorlds);
  if (!call.ok()) return Refuse(context, call.status());
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  HandleDeleteWorld(engine_, *request, {reactor, *std::move(call), response});
  return reactor;
}

SessionReactor* TerrainService::Session(grpc::CallbackServerContext* context) {
  auto call = Admit(calls::Method::kSession, *context, Scope::kRead);
  if (!call.ok()) return new Refusal<SessionReactor>(call.status());
  return HandleSession(engine_, {.planner = &planner_, .room = &room_, .patience = patience_},
                       *std::move(call), *context);
}

grpc::ServerUnaryReactor* TerrainService::SampleHeights(grpc::CallbackServerContext* context,
                                                        const v1::SampleHeightsRequest* request,
                                                        v1::SampleHeightsResponse* response) {
  auto call = Admit(calls::Method::kSampleHeights, *context, Scope::kRead);
  if (!call.ok()) return Refuse(context, call.status());
  return HandleSampleHeights(engine_, *std::move(call), *request, response);
}

}  // namespace thalweg::rpc
