#include "server/rpc/get_tile.h"

#include <cstddef>
#include <string>
#include <utility>

#include "proto/wire/status_macros.h"
#include "server/calls/find_world.h"
#include "server/rpc/byte_buffer.h"
#include "server/tile/tile_fan_in.h"
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
      : admission_(std::move(admission)),
        response_(response),
        tiles_(
            engine.tiles,
            [this](std::size_t, absl::StatusOr<cache::FinishedTile> tile) {
              return Take(std::move(tile));
            },
            [this](const absl::Status& status) { Finish(admission_->End(status)); }) {}

  void Start(const calls::Engine& engine, const grpc::ByteBuffer& buffer) {
    v1::GetTileRequest request;
    const absl::Status parsed = ParseRequest(buffer, request);
    if (!parsed.ok()) return tiles_.End(parsed);
    const std::string name = request.world();
    calls::FindWorld(
        engine, admission_->client(), name,
        [this, request = std::move(request)](absl::StatusOr<world::WorldPointer> world) {
          const auto query = Parse(std::move(world), request, *admission_);
          if (query.ok()) tiles_.Ask(0, *query);
          tiles_.End(query.status());
        });
  }

  // Also called when the deadline has passed.
  void OnCancel() override { tiles_.Stop(absl::CancelledError("get tile: cancelled")); }
  void OnDone() override { delete this; }

 private:
  absl::Status Take(absl::StatusOr<cache::FinishedTile> tile) {
    if (!tile.ok()) return tile.status();
    admission_->Sent(tile->size());
    *response_ = WrapTile(std::move(tile->bytes));
    return absl::OkStatus();
  }

  const AdmissionPointer admission_;
  grpc::ByteBuffer* const response_;
  tile::TileFanIn<cache::FinishedTile, tile::BoundedTiles> tiles_;
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
