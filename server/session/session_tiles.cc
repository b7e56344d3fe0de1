#include "server/session/session_tiles.h"

#include "absl/strings/str_cat.h"

namespace thalweg::session {
namespace {

constexpr std::chrono::milliseconds kSearchPause{100};

}  // namespace

absl::Status WantList::CheckRoom() const {
  if (wanted_.size() + refused_.size() < kMaxWants) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("more than ", kMaxWants,
                   " tiles are wanted at a time; wait until some are sent, or cancel some"));
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

void FailedTiles::Add(const wire::TileKey& key, TimePoint until, TimePoint now) {
  if (until_.size() >= kMaxFailedTiles && now >= search_at_) {
    search_at_ = now + kSearchPause;
    absl::erase_if(until_, [now](const auto& entry) { return entry.second <= now; });
  }
  if (until_.size() < kMaxFailedTiles || until_.contains(key)) until_.insert_or_assign(key, until);
}

bool FailedTiles::Holds(const wire::TileKey& key, TimePoint now) const {
  const auto entry = until_.find(key);
  return entry != until_.end() && now < entry->second;
}

std::size_t FailedTiles::Count(absl::FunctionRef<bool(const wire::TileKey&)> condition) const {
  return static_cast<std::size_t>(
      std::count_if(until_.begin(), until_.end(),
                    [&condition](const auto& entry) { return condition(entry.first); }));
}

void PendingTiles::SetLayers(std::size_t layers) {
  max_ = std::min(kSessionWindowTiles, kSessionWindowBytes / (tile::kMaxLayerBytes * layers));
}

PendingTiles::WaiterPtr PendingTiles::Ask(const wire::TileKey& key, tile::Priority priority) {
  GiveUp([&key](const wire::TileKey& other) { return other == key; });
  auto waiter = std::make_shared<tile::TileWaiter>();
  tiles_[key] = {.number = next_number_++, .priority = priority, .waiter = waiter};
  return waiter;
}

bool PendingTiles::Answer(const wire::TileKey& key, const tile::TileWaiter* waiter,
                          absl::StatusOr<tile::FinishedTile> tile) {
  const auto asked = tiles_.find(key);
  if (asked == tiles_.end() || asked->second.waiter.get() != waiter) return false;
  if (tile.ok()) {
    asked->second.waiter = nullptr;
    asked->second.finished = *std::move(tile);
    ++ready_;
  } else {
    tiles_.erase(asked);
  }
  return true;
}

std::optional<PendingTiles::Ready> PendingTiles::TakeReady() {
  auto first = tiles_.end();
  for (auto at = tiles_.begin(); at != tiles_.end(); ++at) {
    const auto& [key, tile] = *at;
    if (!tile.IsReady()) continue;
    if (first != tiles_.end() && first->second.number < tile.number) continue;
    if (key.level == 0 || !AskedAt(lod::ParentOf(key))) first = at;
  }
  if (first == tiles_.end()) return std::nullopt;
  Ready ready{first->first, std::move(first->second.finished)};
  tiles_.erase(first);
  --ready_;
  return ready;
}

void PendingTiles::GiveUp(Condition condition) {
  absl::erase_if(tiles_, [&](const auto& entry) {
    const auto& [key, tile] = entry;
    if (!condition(key)) return false;
    if (tile.IsReady()) {
      --ready_;
    } else {
      given_up_.push_back(tile.waiter);
    }
    return true;
  });
}

std::optional<tile::Priority> PendingTiles::AskedAt(const wire::TileKey& key) const {
  const auto found = tiles_.find(key);
  if (found == tiles_.end() || found->second.IsReady()) return std::nullopt;
  return found->second.priority;
}

bool PendingTiles::HasAny(Condition condition) const {
  return std::any_of(tiles_.begin(), tiles_.end(),
                     [&](const auto& entry) { return condition(entry.first); });
}

absl::Status SentSet::AddKept(const wire::TileKey& key, const lod::TileFacts& facts) {
  return Add(key, {.facts = facts, .unannounced = true});
}

absl::Status SentSet::AddSent(const wire::TileKey& key, const lod::TileFacts& facts) {
  return Add(key, {.facts = facts});
}

absl::Status SentSet::Add(const wire::TileKey& key, const Entry& entry) {
  const std::lock_guard lock(mutex_);
  const auto found = tiles_.find(key);
  if (found != tiles_.end()) {
    found->second = entry;
  } else if (tiles_.size() < kMaxSentTiles) {
    tiles_.emplace(key, entry);
  } else {
    return absl::ResourceExhaustedError(absl::StrCat(
        "session: the client has more than ", kMaxSentTiles, " tiles; drop some (DropTiles)"));
  }
  return absl::OkStatus();
}

void SentSet::Drop(const wire::TileKey& key) {
  const std::lock_guard lock(mutex_);
  tiles_.erase(key);
}

bool SentSet::Has(const wire::TileKey& key) const {
  const std::lock_guard lock(mutex_);
  return tiles_.contains(key);
}

std::optional<lod::TileFacts> SentSet::FactsOf(const wire::TileKey& key) const {
  const std::lock_guard lock(mutex_);
  const auto entry = tiles_.find(key);
  if (entry == tiles_.end()) return std::nullopt;
  return entry->second.facts;
}

bool SentSet::TakeUnannounced(const wire::TileKey& key) {
  const std::lock_guard lock(mutex_);
  const auto entry = tiles_.find(key);
  if (entry == tiles_.end() || !entry->second.unannounced) return false;
  entry->second.unannounced = false;
  return true;
}

std::size_t SentSet::size() const {
  const std::lock_guard lock(mutex_);
  return tiles_.size();
}

}  // namespace thalweg::session
