// What is too long for the threads that calls come in on.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "server/calls/engine.h"

namespace thalweg::calls {

// Does work on one of these threads. RESOURCE_EXHAUSTED, with a delay after which to try again,
// when too much waits for them; the work is then dropped.
absl::Status RunInBackground(tile::WorkerPool& threads, tile::WorkerPool::Work work);

// WorldLibrary::Find for calls: gives the world to `take` inside the call, or from one of the
// engine's compilers; errors are also those of RunInBackground.
void FindWorld(const Engine& engine, const std::string& request, world::TakeWorld take);

}  // namespace thalweg::calls
