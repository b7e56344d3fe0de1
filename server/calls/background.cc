#include "server/calls/background.h"

#include <chrono>
#include <utility>

#include "proto/wire/status_details.h"

namespace thalweg::calls {
namespace {

// A tenth of a second's work for two threads that compile worlds.
constexpr std::size_t kMaxWaiting = 256;
constexpr std::chrono::milliseconds kRetryDelay{500};

}  // namespace

absl::Status RunInBackground(tile::WorkerPool& threads, tile::WorkerPool::Work work) {
  if (threads.waiting() >= kMaxWaiting) {
    absl::Status status =
        absl::ResourceExhaustedError("too many worlds are being made: try again in a moment");
    wire::SetRetryDelay(status, kRetryDelay);
    return status;
  }
  threads.Post(std::move(work));
  return absl::OkStatus();
}

void FindWorld(const Engine& engine, const std::string& request, world::TakeWorld take) {
  engine.worlds->FindThen(
      request,
      [&engine](tile::WorkerPool::Work work) {
        return RunInBackground(engine.workers->compilers, std::move(work));
      },
      std::move(take));
}

}  // namespace thalweg::calls
