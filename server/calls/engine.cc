#include "server/calls/engine.h"

#include <chrono>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_details.h"

namespace thalweg::calls {
namespace {

// Two threads compile this many worlds in about a tenth of a second.
constexpr std::size_t kMaxWaiting = 256;
constexpr std::chrono::milliseconds kRetryDelay{500};

}  // namespace

absl::Status SharedWorkers::Enter(std::uint64_t client) {
  const std::lock_guard lock(mutex_);
  if (waiting_.HasRoom(client, kMaxWaiting)) {
    waiting_.Add(client);
    return absl::OkStatus();
  }
  absl::Status status = absl::ResourceExhaustedError(
      absl::StrCat("make a world: the caller's share of the queue of max ", kMaxWaiting,
                   " worlds is full; try again in a moment"));
  wire::SetRetryDelay(status, kRetryDelay);
  return status;
}

void SharedWorkers::Leave(std::uint64_t client) {
  const std::lock_guard lock(mutex_);
  waiting_.Remove(client);
}

std::size_t SharedWorkers::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

}  // namespace thalweg::calls
