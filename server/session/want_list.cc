#include "server/session/want_list.h"

#include "absl/strings/str_cat.h"

namespace thalweg::session {

absl::Status WantList::Add(const wire::TileKey& key, field::Priority priority) {
  const auto [place, fresh] = wanted_.try_emplace(key, priority);
  if (!fresh && place->second <= priority) return absl::OkStatus();
  if (wanted_.size() > kMostWants) {
    wanted_.erase(place);
    return absl::ResourceExhaustedError(
        absl::StrCat("session: more than ", kMostWants, " tiles are wanted at a time"));
  }
  place->second = priority;
  queues_[static_cast<std::size_t>(priority)].push_back(key);
  return absl::OkStatus();
}

std::optional<wire::TileKey> WantList::Take(field::Priority priority) {
  auto& queue = queues_[static_cast<std::size_t>(priority)];
  while (!queue.empty()) {
    const wire::TileKey key = queue.front();
    queue.pop_front();
    const auto place = wanted_.find(key);
    if (place != wanted_.end() && place->second == priority) return key;
  }
  return std::nullopt;
}

}  // namespace thalweg::session
