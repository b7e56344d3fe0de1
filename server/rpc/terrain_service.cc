#include "server/rpc/terrain_service.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "proto/wire/status_macros.h"
#include "server/calls/worlds.h"
#include "server/rpc/byte_buffer.h"
#include "server/rpc/session_call.h"
#include "server/rpc/tile_calls.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::rpc {
namespace {

// The calls about worlds. Requests must live until the reply is given.

// A page of the worlds, ordered by name. Errors are those of calls::PageOf.
absl::Status HandleListWorlds(const calls::Engine& engine, const v1::ListWorldsRequest& request,
                              v1::ListWorldsResponse* response) {
  THALWEG_ASSIGN_OR_RETURN(calls::WorldPage page, calls::PageOf(*engine.worlds, request.page_size(),
                                                                request.page_token()));
  for (const auto& world : page.worlds) *response->add_worlds() = calls::ToProto(*world);
  response->set_next_page_token(std::move(page.next_token));
  return absl::OkStatus();
}

// One world, by name or id. NOT_FOUND names existing worlds.
void HandleGetWorld(const calls::Engine& engine, const v1::GetWorldRequest& request,
                    Reply<v1::GetWorldResponse> reply) {
  const std::uint64_t client = reply.admission().client();
  calls::FindWorld(
      engine, client, request.world(),
      [reply = std::move(reply)](const absl::StatusOr<world::WorldPointer>& world) mutable {
        if (world.ok()) *reply.response()->mutable_world() = calls::ToProto(**world);
        std::move(reply).End(world.status());
      });
}

// Adds a world, on which the caller then has a claim. Errors are those of WorldLibrary::Create and
// calls::SharedWorkers::Run; INVALID_ARGUMENT for bytes that are no CreateWorldRequest.
void HandleCreateWorld(const calls::Engine& engine, const grpc::ByteBuffer& bytes,
                       Reply<grpc::ByteBuffer> reply) {
  v1::CreateWorldRequest request;
  const absl::Status parsed = ParseRequest(bytes, request);
  if (!parsed.ok()) return std::move(reply).End(parsed);
  // Create compiles the world, and may write its file.
  ReplyFromKeeper(
      engine, std::move(reply),
      [&engine, request = std::move(request)](const Reply<grpc::ByteBuffer>& call) -> absl::Status {
        const auto creation =
            engine.worlds->Create(request.spec(),
                                  {.keep = request.keep(),
                                   .replace = request.replace(),
                                   .is_administrator = !call.admission().Deleter().has_value()},
                                  call.admission().Owner());
        if (!creation.ok()) return creation.status();
        v1::CreateWorldResponse response;
        *response.mutable_world() = calls::ToProto(*creation->world);
        response.set_created(creation->is_new);
        response.set_replaced(creation->has_replaced);
        for (const std::string& warning : creation->warnings) response.add_warnings(warning);
        *call.response() = Wrap(response.SerializeAsString(), nullptr);
        return absl::OkStatus();
      });
}

// Withdraws a claim on a created world. Administrators may delete any created world. Errors are
// those of WorldLibrary::Delete and calls::SharedWorkers::Run.
void HandleDeleteWorld(const calls::Engine& engine, const v1::DeleteWorldRequest& request,
                       Reply<v1::DeleteWorldResponse> reply) {
  // Delete may remove the world's file.
  ReplyFromKeeper(engine, std::move(reply),
                  [&engine, &request](const Reply<v1::DeleteWorldResponse>& call) -> absl::Status {
                    const auto deletion =
                        engine.worlds->Delete(request.world(), call.admission().Deleter());
                    if (!deletion.ok()) return deletion.status();
                    call.response()->set_gone(deletion->is_gone);
                    return absl::OkStatus();
                  });
}

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
int TimerThreadCount() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / 2);
}

using TileWriter = grpc::ServerWriteReactor<grpc::ByteBuffer>;
using SessionReactor = grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>;

}  // namespace

TerrainService::TerrainService(const calls::Engine& engine, calls::CallGate* gate,
                               std::size_t session_bytes, std::chrono::milliseconds end_patience)
    : engine_(engine),
      gate_(gate),
      timer_(TimerThreadCount()),
      room_(session_bytes),
      patience_{.timer = &timer_, .time = end_patience} {}

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
  return HandleSession(engine_, {.timer = &timer_, .room = &room_, .patience = patience_},
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
