#include "server/rpc/get_tile.h"

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "proto/wire/status_macros.h"
#include "server/calls/background.h"
#include "server/rpc/byte_buffer.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::rpc {
namespace {

absl::StatusOr<tile::TileQuery> Parse(absl::StatusOr<world::WorldPointer> found,
                                      const v1::GetTileRequest& request,
                                      const Admission& admission) {
  THALWEG_ASSIGN_OR_RETURN(world::WorldPointer world, std::move(found));
  THALWEG_ASSIGN_OR_RETURN(tile::TileQuery query, tile::ParseTileQuery(std::move(world), request));
  THALWEG_RETURN_IF_ERROR(Bill(admission, query));
  return query;
}

// A call under way. Kept by itself until gRPC is done with it, and by the tile's callback.
class TileCall : public grpc::ServerUnaryReactor, public std::enable_shared_from_this<TileCall> {
 public:
  TileCall(const calls::Engine& engine, Admission admission, grpc::ByteBuffer* response)
      : tiles_(engine.tiles), admission_(std::move(admission)), response_(response) {}

  void Start(const calls::Engine& engine, const grpc::ByteBuffer& buffer) {
    self_ = shared_from_this();
    v1::GetTileRequest request;
    const absl::Status parsed = ParseRequest(buffer, request);
    if (!parsed.ok()) return Finish(admission_.record->End(parsed));
    const std::string name = request.world();
    calls::FindWorld(
        engine, name,
        [call = self_, request = std::move(request)](absl::StatusOr<world::WorldPointer> world) {
          call->Ask(Parse(std::move(world), request, call->admission_));
        });
  }

  // Also when the deadline has passed.
  void OnCancel() override {
    tile::TileService::Ticket ticket = tile::TileService::kAnswered;
    {
      const std::lock_guard lock(mutex_);
      cancelled_ = true;
      ticket = ticket_;
    }
    tiles_->Cancel(ticket);
  }
  void OnDone() override { self_.reset(); }

 private:
  void Ask(const absl::StatusOr<tile::TileQuery>& query) {
    if (!query.ok()) return Finish(admission_.record->End(query.status()));
    // The answer may come at once, and gRPC then forget the call.
    const std::shared_ptr<TileCall> held = shared_from_this();
    const auto ticket = tiles_->Get(*query, [held](absl::StatusOr<cache::FinishedTile> tile) {
      held->Answer(std::move(tile));
    });
    bool unwanted = false;
    {
      const std::lock_guard lock(mutex_);
      ticket_ = ticket;
      unwanted = cancelled_;
    }
    if (unwanted) tiles_->Cancel(ticket);
  }

  void Answer(absl::StatusOr<cache::FinishedTile> tile) {
    const absl::Status status = tile.status();
    if (status.ok()) {
      admission_.record->Sent(tile->size());
      *response_ = WrapTile(std::move(tile->bytes));
    }
    Finish(admission_.record->End(status));
  }

  tile::TileService* const tiles_;
  const Admission admission_;
  grpc::ByteBuffer* const response_;

  std::mutex mutex_;
  bool cancelled_ = false;
  tile::TileService::Ticket ticket_ = tile::TileService::kAnswered;

  std::shared_ptr<TileCall> self_;
};

}  // namespace

grpc::ServerUnaryReactor* HandleGetTile(const calls::Engine& engine, Admission admission,
                                        const grpc::ByteBuffer& request,
                                        grpc::ByteBuffer* response) {
  const auto call = std::make_shared<TileCall>(engine, std::move(admission), response);
  call->Start(engine, request);
  return call.get();
}

}  // namespace thalweg::rpc
