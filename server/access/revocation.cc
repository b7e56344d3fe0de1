#include "server/access/revocation.h"

namespace thalweg::access {

void Revocation::Watch::Forget() {
  const std::lock_guard lock(revocation_->mutex_);
  revocation_->leavers_.erase(number_);
}

Revocation::Watch Revocation::OnRevoke(Leave leave) {
  absl::Status why;
  {
    const std::lock_guard lock(mutex_);
    if (why_.ok()) {
      leavers_.emplace(++last_number_, std::move(leave));
      return {this, last_number_};
    }
    why = why_;
  }
  leave(why);
  return {};
}

void Revocation::Revoke(const absl::Status& why) {
  std::map<std::uint64_t, Leave> leavers;
  {
    const std::lock_guard lock(mutex_);
    if (!why_.ok()) return;
    why_ = why;
    leavers.swap(leavers_);
  }
  for (const auto& [number, leave] : leavers) leave(why);
}

}  // namespace thalweg::access
