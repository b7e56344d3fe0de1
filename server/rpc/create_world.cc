#include "server/rpc/create_world.h"

#include <utility>

#include "server/calls/world_message.h"

namespace thalweg::rpc {

void HandleCreateWorld(const calls::Engine& engine, const v1::CreateWorldRequest& request,
                       Reply<v1::CreateWorldResponse> reply) {
  // It compiles the world, and may write its file.
  ReplyFromKeeper(engine, std::move(reply),
                  [&engine, &request](const Reply<v1::CreateWorldResponse>& call) -> absl::Status {
                    const world::Owner owner = call.admission().Owner();
                    const auto creation =
                        engine.worlds->Create(request.spec(), request.keep(), owner);
                    if (!creation.ok()) return creation.status();
                    *call.response()->mutable_world() = calls::ToProto(*creation->world);
                    call.response()->set_created(creation->is_new);
                    return absl::OkStatus();
                  });
}

}  // namespace thalweg::rpc
