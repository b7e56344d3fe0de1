// The world that a path names.
#pragma once

#include <string>

#include "absl/functional/any_invocable.h"
#include "server/http/site.h"

namespace thalweg::http {

// Gives the world to `take` on the exchange's thread, inside the call unless it must be compiled.
// Fails the exchange with the error of calls::FindWorld when there is none.
void FindWorld(const Site& site, const std::string& request, const ExchangePointer& exchange,
               absl::AnyInvocable<void(world::WorldPointer) &&> take);

}  // namespace thalweg::http
