// Whose worlds a caller's are.
#pragma once

#include <optional>

#include "server/calls/guest.h"
#include "server/world/claims.h"

namespace thalweg::calls {

// Who a world that they create belongs to.
world::Owner OwnerOf(const Guest& guest);

// Whose claims they may take back: their own, and an administrator everybody's (absent).
std::optional<world::Owner> DeleterOf(const Guest& guest);

}  // namespace thalweg::calls
