#include "server/calls/call_gate.h"

#include <utility>

namespace thalweg::calls {

absl::Status CallGate::Enter() {
  const std::lock_guard lock(mutex_);
  if (closed_) return absl::UnavailableError("the server is stopping");
  ++inside_;
  return absl::OkStatus();
}

std::uint64_t CallGate::OnClose(std::function<void()> leave) {
  {
    const std::lock_guard lock(mutex_);
    if (!closed_) {
      leavers_.emplace(++last_number_, std::move(leave));
      return last_number_;
    }
  }
  leave();
  return 0;
}

void CallGate::Close() {
  std::map<std::uint64_t, std::function<void()>> leavers;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    leavers.swap(leavers_);
  }
  for (const auto& [number, leave] : leavers) leave();
}

bool CallGate::is_open() const {
  const std::lock_guard lock(mutex_);
  return !closed_;
}

bool CallGate::AwaitEmpty(std::chrono::system_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return empty_.wait_until(lock, deadline, [this] { return inside_ == 0; });
}

void CallGate::Leave(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  leavers_.erase(number);
  // Notified under the lock, since the gate may be destroyed right after the lock is released.
  if (--inside_ == 0) empty_.notify_all();
}

}  // namespace thalweg::calls
