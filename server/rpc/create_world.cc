#include "server/rpc/create_world.h"

#include "proto/wire/status_macros.h"
#include "server/calls/world_message.h"

namespace thalweg::rpc {

absl::Status HandleCreateWorld(const calls::Engine& engine, const access::Caller& caller,
                               const v1::CreateWorldRequest& request,
                               v1::CreateWorldResponse* response) {
  THALWEG_ASSIGN_OR_RETURN(
      const auto creation,
      engine.worlds->Create(request.spec(), request.keep(), caller.grant().name));
  *response->mutable_world() = calls::ToProto(*creation.world);
  response->set_created(creation.is_new);
  return absl::OkStatus();
}

}  // namespace thalweg::rpc
