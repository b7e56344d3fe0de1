#include "server/rpc/delete_world.h"

#include <utility>

namespace thalweg::rpc {

void HandleDeleteWorld(const calls::Engine& engine, const v1::DeleteWorldRequest& request,
                       Reply<v1::DeleteWorldResponse> reply) {
  // It may delete the world's file.
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
