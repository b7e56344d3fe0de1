#include "server/calls/world_owner.h"

namespace thalweg::calls {

world::Owner OwnerOf(const Guest& guest) {
  const std::string& token = guest.caller->grant().name;
  return {.token = token, .client = token.empty() ? guest.client : 0};
}

std::optional<world::Owner> DeleterOf(const Guest& guest) {
  if (guest.caller->Has(access::Scope::kAdmin)) return std::nullopt;
  return OwnerOf(guest);
}

}  // namespace thalweg::calls
