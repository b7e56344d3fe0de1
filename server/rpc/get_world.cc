#include "server/rpc/get_world.h"

#include "proto/wire/status_macros.h"
#include "server/calls/world_message.h"

namespace thalweg::rpc {

absl::Status HandleGetWorld(const calls::Engine& engine, const v1::GetWorldRequest& request,
                            v1::World* response) {
  THALWEG_ASSIGN_OR_RETURN(const auto world, engine.worlds->Find(request.world()));
  *response = calls::ToProto(*world);
  return absl::OkStatus();
}

}  // namespace thalweg::rpc
