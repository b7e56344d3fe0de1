#include "server/rpc/terrain_service.h"

#include <utility>

#include "server/rpc/get_tile.h"
#include "server/rpc/get_world.h"
#include "server/rpc/list_worlds.h"
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
class Refusal final : public grpc::ServerWriteReactor<grpc::ByteBuffer> {
 public:
  explicit Refusal(const absl::Status& status) { Finish(ToGrpcStatus(status)); }
  void OnDone() override { delete this; }
};

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

grpc::ServerWriteReactor<grpc::ByteBuffer>* TerrainService::StreamTiles(
    grpc::CallbackServerContext* /*context*/, const grpc::ByteBuffer* request) {
  auto pass = gate_->Enter();
  if (!pass.ok()) return new Refusal(pass.status());
  return HandleStreamTiles(engine_, *std::move(pass), *request);
}

}  // namespace thalweg::rpc
