// Finds the world that a path names.
#pragma once

#include <string>

#include "absl/functional/any_invocable.h"
#include "server/http/site.h"

namespace thalweg::http {

// Calls `take` with the world on the exchange's thread; before it returns, unless the world must be
// compiled. Waits for a place in the queue of worlds that are to be compiled. Or fails the exchange
// with the error of calls::FindWorld.
void FindWorld(const Site& site, const std::string& request, const ExchangePointer& exchange,
               absl::AnyInvocable<void(world::WorldPointer) &&> take);

}  // namespace thalweg::http
