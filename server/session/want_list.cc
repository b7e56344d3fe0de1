#include "server/session/want_list.h"

#include "absl/strings/str_cat.h"

namespace thalweg::session {

absl::Status WantList::CheckRoom() const {
  if (wanted_.size() + refused_.size() < kMaxWants) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("invalid want: expected max ", kMaxWants,
                   " wanted tiles at a time, got more; wait until some are sent, or cancel some"));
}

absl::Status WantList::Add(const wire::TileKey& key, field::Priority priority) {
  auto place = wanted_.find(key);
  if (place == wanted_.end()) {
    if (absl::Status room = CheckRoom(); !room.ok()) return room;
    place = wanted_.emplace(key, Place{.priority = priority}).first;
  } else if (place->second.priority <= priority) {
    return absl::OkStatus();
  }
  Unqueue(place->second);
  Queue& queue = QueueOf(priority);
  place->second = {.priority = priority, .queued = true, .at = queue.insert(queue.end(), key)};
  return absl::OkStatus();
}

absl::Status WantList::Refuse(const wire::TileKey& key) {
  absl::Status room = CheckRoom();
  if (room.ok()) refused_.push_back(key);
  return room;
}

void WantList::Unqueue(Place& place) {
  if (place.queued) QueueOf(place.priority).erase(place.at);
  place.queued = false;
}

void WantList::Remove(const wire::TileKey& key) {
  const auto place = wanted_.find(key);
  if (place == wanted_.end()) return;
  Unqueue(place->second);
  wanted_.erase(place);
}

void WantList::Clear() { *this = WantList(); }

std::optional<wire::TileKey> WantList::Take(field::Priority priority) {
  Queue& queue = QueueOf(priority);
  if (queue.empty()) return std::nullopt;
  const wire::TileKey key = queue.front();
  Unqueue(wanted_.at(key));
  return key;
}

std::optional<wire::TileKey> WantList::TakeRefused() {
  if (refused_.empty()) return std::nullopt;
  const wire::TileKey key = refused_.front();
  refused_.pop_front();
  return key;
}

std::size_t WantList::queued() const {
  std::size_t queued = 0;
  for (const Queue& queue : queues_) queued += queue.size();
  return queued;
}

}  // namespace thalweg::session
