#include "server/rpc/list_worlds.h"

#include <utility>

#include "proto/wire/status_macros.h"
#include "server/calls/world_message.h"
#include "server/calls/world_page.h"

namespace thalweg::rpc {

absl::Status HandleListWorlds(const calls::Engine& engine, const v1::ListWorldsRequest& request,
                              v1::ListWorldsResponse* response) {
  THALWEG_ASSIGN_OR_RETURN(calls::WorldPage page, calls::PageOf(*engine.worlds, request.page_size(),
                                                                request.page_token()));
  for (const auto& world : page.worlds) *response->add_worlds() = calls::ToProto(*world);
  response->set_next_page_token(std::move(page.next_token));
  return absl::OkStatus();
}

}  // namespace thalweg::rpc
