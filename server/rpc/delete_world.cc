#include "server/rpc/delete_world.h"

#include <optional>
#include <string>

namespace thalweg::rpc {

absl::Status HandleDeleteWorld(const calls::Engine& engine, const access::Caller& caller,
                               const v1::DeleteWorldRequest& request) {
  std::optional<std::string> owner = caller.grant().name;
  if (caller.Has(access::Scope::kAdmin)) owner.reset();
  return engine.worlds->Delete(request.world(), owner);
}

}  // namespace thalweg::rpc
