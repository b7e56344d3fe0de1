#include "server/rpc/get_tile.h"

#include <memory>
#include <utility>

#include "proto/wire/status_macros.h"
#include "server/rpc/byte_buffer.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::rpc {
namespace {

absl::StatusOr<tile::TileQuery> Parse(const calls::Engine& engine, const Admission& admission,
                                      const grpc::ByteBuffer& buffer) {
  v1::GetTileRequest request;
  THALWEG_RETURN_IF_ERROR(ParseRequest(buffer, request));
  THALWEG_ASSIGN_OR_RETURN(auto world, engine.worlds->Find(request.world()));
  THALWEG_ASSIGN_OR_RETURN(tile::TileQuery query, tile::ParseTileQuery(std::move(world), request));
  THALWEG_RETURN_IF_ERROR(Bill(admission, query));
  return query;
}

// A call under way. Kept by itself until gRPC is done with it, and by the tile's callback.
class TileCall : public grpc::ServerUnaryReactor, public std::enable_shared_from_this<TileCall> {
 public:
  TileCall(const calls::Engine& engine, Admission admission, grpc::ByteBuffer* response)
      : tiles_(engine.tiles), admission_(std::move(admission)), response_(response) {}

  void Start(const absl::StatusOr<tile::TileQuery>& query) {
    self_ = shared_from_this();
    if (!query.ok()) return Finish(admission_.record->End(query.status()));
    ticket_ = tiles_->Get(*query, [call = self_](absl::StatusOr<cache::TileBytes> bytes) {
      call->Answer(std::move(bytes));
    });
  }

  // gRPC calls this after the handler has returned, so the ticket is there. Also when the deadline
  // has passed.
  void OnCancel() override { tiles_->Cancel(ticket_); }
  void OnDone() override { self_.reset(); }

 private:
  void Answer(absl::StatusOr<cache::TileBytes> bytes) {
    if (bytes.ok()) {
      admission_.record->Sent((*bytes)->size());
      *response_ = Wrap(*std::move(bytes));
    }
    Finish(admission_.record->End(bytes.status()));
  }

  tile::TileService* const tiles_;
  const Admission admission_;
  grpc::ByteBuffer* const response_;
  tile::TileService::Ticket ticket_ = tile::TileService::kAnswered;
  std::shared_ptr<TileCall> self_;
};

}  // namespace

grpc::ServerUnaryReactor* HandleGetTile(const calls::Engine& engine, Admission admission,
                                        const grpc::ByteBuffer& request,
                                        grpc::ByteBuffer* response) {
  const absl::StatusOr<tile::TileQuery> query = Parse(engine, admission, request);
  const auto call = std::make_shared<TileCall>(engine, std::move(admission), response);
  call->Start(query);
  return call.get();
}

}  // namespace thalweg::rpc
