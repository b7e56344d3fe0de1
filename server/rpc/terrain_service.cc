#include "server/rpc/terrain_service.h"

#include <utility>

#include "server/rpc/get_tile.h"
#include "server/rpc/get_world.h"
#include "server/rpc/list_worlds.h"
#include "server/rpc/sample_heights.h"
#include "server/rpc/session_call.h"
#include "server/rpc/status.h"
#include "server/rpc/stream_tiles.h"

namespace thalweg::rpc {
namespace {

grpc::ServerUnaryReactor* Answer(grpc::CallbackServerContext* context, const absl::Status& status) {
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  reactor->Finish(ToGrpcStatus(status));
  return reactor;
}

// A stream that ends before it began.
template <typename Reactor>
class Refusal final : public Reactor {
 public:
  explicit Refusal(const absl::Status& status) { this->Finish(ToGrpcStatus(status)); }
  void OnDone() override { delete this; }
};

using TileWriter = grpc::ServerWriteReactor<grpc::ByteBuffer>;
using SessionReactor = grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>;

}  // namespace

grpc::ServerUnaryReactor* TerrainService::ListWorlds(grpc::CallbackServerContext* context,
                                                     const v1::ListWorldsRequest* request,
                                                     v1::ListWorldsResponse* response) {
  const auto pass = gate_->Enter();
  return Answer(context, pass.ok() ? HandleListWorlds(engine_, *request, response) : pass.status());
}

grpc::ServerUnaryReactor* TerrainService::GetWorld(grpc::CallbackServerContext* context,
                                                   const v1::GetWorldRequest* request,
                                                   v1::World* response) {
  const auto pass = gate_->Enter();
  return Answer(context, pass.ok() ? HandleGetWorld(engine_, *request, response) : pass.status());
}

grpc::ServerUnaryReactor* TerrainService::GetTile(grpc::CallbackServerContext* context,
                                                  const grpc::ByteBuffer* request,
                                                  grpc::ByteBuffer* response) {
  auto pass = gate_->Enter();
  if (!pass.ok()) return Answer(context, pass.status());
  return HandleGetTile(engine_, *std::move(pass), *request, response);
}

TileWriter* TerrainService::StreamTiles(grpc::CallbackServerContext* /*context*/,
                                        const grpc::ByteBuffer* request) {
  auto pass = gate_->Enter();
  if (!pass.ok()) return new Refusal<TileWriter>(pass.status());
  return HandleStreamTiles(engine_, *std::move(pass), *request);
}

SessionReactor* TerrainService::Session(grpc::CallbackServerContext* /*context*/) {
  auto pass = gate_->Enter();
  if (!pass.ok()) return new Refusal<SessionReactor>(pass.status());
  return HandleSession(engine_, *std::move(pass));
}

grpc::ServerUnaryReactor* TerrainService::SampleHeights(grpc::CallbackServerContext* context,
                                                        const v1::SampleHeightsRequest* request,
                                                        v1::SampleHeightsResponse* response) {
  auto pass = gate_->Enter();
  if (!pass.ok()) return Answer(context, pass.status());
  return HandleSampleHeights(engine_, *std::move(pass), *request, response);
}

}  // namespace thalweg::rpc
