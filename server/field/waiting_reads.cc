#include "server/field/waiting_reads.h"

namespace thalweg::field {

void WaitingReads::Enter(std::uint64_t client) {
  const auto found = waiting_.find(client);
  if (found == waiting_.end() || held_back_.contains(client)) return;
  next_.emplace(*found->second.begin(), client);
}

void WaitingReads::Leave(std::uint64_t client) {
  const auto found = waiting_.find(client);
  if (found != waiting_.end()) next_.erase({*found->second.begin(), client});
}

void WaitingReads::Add(Priority priority, Id id, std::uint64_t client) {
  Leave(client);
  waiting_[client].emplace(priority, id);
  Enter(client);
}

void WaitingReads::Remove(Priority priority, Id id, std::uint64_t client) {
  const auto found = waiting_.find(client);
  if (found == waiting_.end()) return;
  Leave(client);
  found->second.erase({priority, id});
  if (found->second.empty()) {
    waiting_.erase(found);
    held_back_.erase(client);
  }
  Enter(client);
}

void WaitingReads::Clear() {
  waiting_.clear();
  next_.clear();
  held_back_.clear();
}

std::optional<Priority> WaitingReads::Best() const {
  if (next_.empty()) return std::nullopt;
  return next_.begin()->first.first;
}

std::vector<WaitingReads::Id> WaitingReads::Take(std::size_t max,
                                                 absl::FunctionRef<bool(Id)> fits) {
  std::vector<Id> taken;
  const std::optional<Priority> best = Best();
  while (taken.size() < max && best && Best() == best) {
    const auto [place, client] = *next_.begin();
    const auto [priority, id] = place;
    if (fits(id)) {
      taken.push_back(id);
      Remove(priority, id, client);
    } else {
      Leave(client);
      held_back_.insert(client);
    }
  }
  return taken;
}

void WaitingReads::Release() {
  const auto released = std::exchange(held_back_, {});
  for (const std::uint64_t client : released) Enter(client);
}

}  // namespace thalweg::field
