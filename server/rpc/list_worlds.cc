#include "server/rpc/list_worlds.h"

#include "server/calls/world_message.h"

namespace thalweg::rpc {

absl::Status HandleListWorlds(const calls::Engine& engine, const v1::ListWorldsRequest& /*request*/,
                              v1::ListWorldsResponse* response) {
  for (const auto& world : engine.worlds->worlds())
    *response->add_worlds() = calls::ToProto(*world);
  return absl::OkStatus();
}

}  // namespace thalweg::rpc
