#include "server/session/want_list.h"

#include "absl/strings/str_cat.h"

namespace thalweg::session {

absl::Status WantList::CheckRoom() const {
  if (wanted_.size() + refused_.size() < kMaxWants) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("invalid want: expected max ", kMaxWants,
                   " wanted tiles at a time, got more; wait until some are sent, or cancel some"));
}

absl::Status WantList::Add(const wire::TileKey& key, tile::Priority priority) {
  auto found = wanted_.find(key);
  if (found == wanted_.end()) {
    if (absl::Status room = CheckRoom(); !room.ok()) return room;
    found = wanted_.emplace(key, Entry{.priority = priority}).first;
  } else if (found->second.priority <= priority) {
    return absl::OkStatus();
  }
  Unqueue(found->second);
  Queue& queue = QueueOf(priority);
  found->second = {.priority = priority, .queued = true, .at = queue.insert(queue.end(), key)};
  return absl::OkStatus();
}

absl::Status WantList::Refuse(const wire::TileKey& key) {
  absl::Status room = CheckRoom();
  if (room.ok()) refused_.push_back(key);
  return room;
}

void WantList::Unqueue(Entry& entry) {
  if (entry.queued) QueueOf(entry.priority).erase(entry.at);
  entry.queued = false;
}

void WantList::Remove(const wire::TileKey& key) {
  const auto found = wanted_.find(key);
  if (found == wanted_.end()) return;
  Unqueue(found->second);
  wanted_.erase(found);
}

void WantList::Clear() { *this = WantList(); }

std::optional<wire::TileKey> WantList::Take(tile::Priority priority) {
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
