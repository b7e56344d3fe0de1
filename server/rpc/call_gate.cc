#include "server/rpc/call_gate.h"

#include "absl/status/status.h"

namespace thalweg::rpc {

absl::StatusOr<CallGate::Pass> CallGate::Enter() {
  const std::lock_guard lock(mutex_);
  if (closed_) return absl::UnavailableError("this server is stopping");
  ++inside_;
  return Pass(this);
}

void CallGate::Close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
}

bool CallGate::AwaitEmpty(std::chrono::system_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return empty_.wait_until(lock, deadline, [this] { return inside_ == 0; });
}

void CallGate::Leave() {
  const std::lock_guard lock(mutex_);
  // Under the lock, or the gate could be gone by then.
  if (--inside_ == 0) empty_.notify_all();
}

}  // namespace thalweg::rpc
