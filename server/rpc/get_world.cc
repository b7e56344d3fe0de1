#include "server/rpc/get_world.h"

#include <utility>

#include "server/calls/background.h"
#include "server/calls/world_message.h"

namespace thalweg::rpc {

void HandleGetWorld(const calls::Engine& engine, const v1::GetWorldRequest& request,
                    Reply<v1::GetWorldResponse> reply) {
  calls::FindWorld(
      engine, request.world(),
      [reply = std::move(reply)](const absl::StatusOr<world::WorldPointer>& world) mutable {
        if (world.ok()) *reply.response()->mutable_world() = calls::ToProto(**world);
        std::move(reply).End(world.status());
      });
}

}  // namespace thalweg::rpc
