#include "server/calls/call_gate.h"

namespace thalweg::calls {
namespace {

absl::Status Stopping() { return absl::UnavailableError("the server is stopping"); }

}  // namespace

absl::Status CallGate::Enter() {
  const std::lock_guard lock(mutex_);
  if (closed_) return Stopping();
  ++inside_;
  return absl::OkStatus();
}

void CallGate::Close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  closing_.Revoke(Stopping());
}

bool CallGate::is_open() const {
  const std::lock_guard lock(mutex_);
  return !closed_;
}

bool CallGate::AwaitEmpty(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return empty_.wait_until(lock, deadline, [this] { return inside_ == 0; });
}

void CallGate::Leave() {
  const std::lock_guard lock(mutex_);
  // Notified under the lock, since the gate may be destroyed right after the lock is released.
  if (--inside_ == 0) empty_.notify_all();
}

}  // namespace thalweg::calls
