#include "server/rpc/get_tile.h"

#include <memory>
#include <string>
#include <utility>

#include "proto/wire/status_macros.h"
#include "server/calls/find_world.h"
#include "server/rpc/byte_buffer.h"
#include "server/tile/tile_service.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::rpc {
namespace {

absl::StatusOr<tile::TileQuery> Parse(absl::StatusOr<world::WorldPointer> found,
                                      const v1::GetTileRequest& request,
                                      const Admission& admission) {
  THALWEG_ASSIGN_OR_RETURN(world::WorldPointer world, std::move(found));
  THALWEG_ASSIGN_OR_RETURN(tile::TileQuery query, tile::ParseTileQuery(std::move(world), request));
  THALWEG_RETURN_IF_ERROR(admission.Bill(query));
  return query;
}

// A call under way. It deletes itself when gRPC is done with it.
class TileCall final : public grpc::ServerUnaryReactor {
 public:
  TileCall(const calls::Engine& engine, AdmissionPointer admission, grpc::ByteBuffer* response)
      : tiles_(engine.tiles), admission_(std::move(admission)), response_(response) {}

  void Start(const calls::Engine& engine, const grpc::ByteBuffer& buffer) {
    v1::GetTileRequest request;
    const absl::Status parsed = ParseRequest(buffer, request);
    if (!parsed.ok()) return Finish(admission_->End(parsed));
    const std::string name = request.world();
    calls::FindWorld(
        engine, admission_->client(), name,
        [this, request = std::move(request)](absl::StatusOr<world::WorldPointer> world) {
          Ask(Parse(std::move(world), request, *admission_));
        });
  }

  // Also called when the deadline has passed.
  void OnCancel() override { tiles_->Cancel(waiter_); }
  void OnDone() override { delete this; }

 private:
  void Ask(absl::StatusOr<tile::TileQuery> query) {
    if (!query.ok()) return Take(query.status());
    tiles_->Get(waiter_, *std::move(query),
                [this](absl::StatusOr<tile::TileContents> tile) { Take(std::move(tile)); });
  }

  void Take(absl::StatusOr<tile::TileContents> tile) {
    if (tile.ok()) {
      cache::TileBytes bytes = (*std::move(tile)).finished().bytes;
      admission_->Sent(bytes->size());
      *response_ = WrapTile(std::move(bytes));
    }
    Finish(admission_->End(tile.status()));
  }

  tile::TileService* const tiles_;
  const AdmissionPointer admission_;
  grpc::ByteBuffer* const response_;
  const tile::TileSource::WaiterPtr waiter_ = std::make_shared<tile::TileWaiter>();
};

}  // namespace

grpc::ServerUnaryReactor* HandleGetTile(const calls::Engine& engine, AdmissionPointer admission,
                                        const grpc::ByteBuffer& request,
                                        grpc::ByteBuffer* response) {
  auto* const call = new TileCall(engine, std::move(admission), response);
  call->Start(engine, request);
  return call;
}

}  // namespace thalweg::rpc
