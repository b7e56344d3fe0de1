// Finds worlds for calls.
#pragma once

#include <cstdint>
#include <string>

#include "server/calls/engine.h"

namespace thalweg::calls {

// WorldLibrary::Find for a client's call (Admission::client): calls `take` before it returns, or on
// one of the engine's compilers. Errors are also those of SharedWorkers::Run.
void FindWorld(const Engine& engine, std::uint64_t client, const std::string& request,
               world::TakeWorld take);

}  // namespace thalweg::calls
