// Work that takes too long for the threads that receive calls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "proto/wire/status_macros.h"
#include "server/calls/engine.h"

namespace thalweg::calls {

// RESOURCE_EXHAUSTED, with a delay for the next try, if too much work waits for these threads.
absl::Status CheckRoom(const tile::WorkerPool& threads);

// Does work on one of these threads, as WorkerPool::Post does, in the order of its arrival. Or
// returns the error of CheckRoom; then neither function is called.
template <typename Make, typename Done>
absl::Status RunInBackground(tile::WorkerPool& threads, std::string_view operation, Make make,
                             Done done) {
  THALWEG_RETURN_IF_ERROR(CheckRoom(threads));
  constexpr std::uint64_t kAllCallers = 0;
  threads.Post(kAllCallers, operation, std::move(make), std::move(done));
  return absl::OkStatus();
}

// WorldLibrary::Find for calls: calls `take` before it returns, or on one of the engine's
// compilers. Errors are also those of RunInBackground.
void FindWorld(const Engine& engine, const std::string& request, world::TakeWorld take);

}  // namespace thalweg::calls
