#include "server/calls/background.h"

#include <chrono>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "proto/wire/status_details.h"

namespace thalweg::calls {
namespace {

// Two threads compile this many worlds in about a tenth of a second.
constexpr std::size_t kMaxWaiting = 256;
constexpr std::chrono::milliseconds kRetryDelay{500};

}  // namespace

absl::Status CheckRoom(const tile::WorkerPool& threads) {
  if (threads.waiting() < kMaxWaiting) return absl::OkStatus();
  absl::Status status = absl::ResourceExhaustedError(
      "make a world: the queue of max 256 worlds is full; try again in a moment");
  wire::SetRetryDelay(status, kRetryDelay);
  return status;
}

void FindWorld(const Engine& engine, const std::string& request, world::TakeWorld take) {
  engine.worlds->FindThen(
      request,
      [&engine](absl::AnyInvocable<void() &&> work) {
        return RunInBackground(
            engine.workers->compilers, "find world",
            [work = std::move(work)]() mutable {
              std::move(work)();
              return absl::OkStatus();
            },
            [](const absl::Status&) {});
      },
      std::move(take));
}

}  // namespace thalweg::calls
