#include "server/rpc/world_calls.h"

#include <utility>

#include "proto/wire/status_macros.h"
#include "server/calls/find_world.h"
#include "server/calls/world_message.h"
#include "server/calls/world_page.h"
#include "server/rpc/byte_buffer.h"

namespace thalweg::rpc {

absl::Status HandleListWorlds(const calls::Engine& engine, const v1::ListWorldsRequest& request,
                              v1::ListWorldsResponse* response) {
  THALWEG_ASSIGN_OR_RETURN(calls::WorldPage page, calls::PageOf(*engine.worlds, request.page_size(),
                                                                request.page_token()));
  for (const auto& world : page.worlds) *response->add_worlds() = calls::ToProto(*world);
  response->set_next_page_token(std::move(page.next_token));
  return absl::OkStatus();
}

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

void HandleCreateWorld(const calls::Engine& engine, const grpc::ByteBuffer& bytes,
                       Reply<grpc::ByteBuffer> reply) {
  v1::CreateWorldRequest request;
  const absl::Status parsed = ParseRequest(bytes, request);
  if (!parsed.ok()) return std::move(reply).End(parsed);
  // Create compiles the world, and may write its file.
  ReplyFromKeeper(
      engine, std::move(reply),
      [&engine, request = std::move(request)](const Reply<grpc::ByteBuffer>& call) -> absl::Status {
        const world::Owner owner = call.admission().Owner();
        const auto creation = engine.worlds->Create(request.spec(), request.keep(), owner);
        if (!creation.ok()) return creation.status();
        v1::CreateWorldResponse response;
        *response.mutable_world() = calls::ToProto(*creation->world);
        response.set_created(creation->is_new);
        *call.response() = Wrap(response.SerializeAsString(), nullptr);
        return absl::OkStatus();
      });
}

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

}  // namespace thalweg::rpc
