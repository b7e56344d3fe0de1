// What is too long for the threads that calls come in on.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "proto/wire/status_macros.h"
#include "server/calls/engine.h"

namespace thalweg::calls {

// RESOURCE_EXHAUSTED, with a delay after which to try again, when too much waits for the engine's
// workers.
absl::Status CheckBackground(const Engine& engine);

// Does work on one of the engine's workers, as WorkerPool::Post does: what compiles worlds or waits
// for a disk. An error is that of CheckBackground; neither function is called then.
template <typename Make, typename Done>
absl::Status RunInBackground(const Engine& engine, std::string_view operation, Make make,
                             Done done) {
  THALWEG_RETURN_IF_ERROR(CheckBackground(engine));
  engine.workers->Post(operation, std::move(make), std::move(done));
  return absl::OkStatus();
}

// WorldLibrary::Find for calls: gives the world to `take` inside the call, or from a worker when it
// must be compiled; errors are also those of RunInBackground.
void FindWorld(const Engine& engine, const std::string& request, world::TakeWorld take);

}  // namespace thalweg::calls
