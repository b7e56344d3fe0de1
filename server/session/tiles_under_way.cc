#include "server/session/tiles_under_way.h"

#include <algorithm>

#include "proto/lod/tile_tree.h"

namespace thalweg::session {
namespace {

constexpr std::chrono::milliseconds kSearchPause{100};

}  // namespace

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

void TilesUnderWay::SetLayers(std::size_t layers) {
  max_ = std::min(kSessionWindowTiles, kSessionWindowBytes / (tile::kMaxLayerBytes * layers));
}

TilesUnderWay::WaiterPtr TilesUnderWay::Ask(const wire::TileKey& key, tile::Priority priority) {
  GiveUp([&key](const wire::TileKey& other) { return other == key; });
  auto waiter = std::make_shared<tile::TileWaiter>();
  tiles_[key] = {.number = next_number_++, .priority = priority, .waiter = waiter};
  return waiter;
}

bool TilesUnderWay::Answer(const wire::TileKey& key, const tile::TileWaiter* waiter,
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

std::optional<TilesUnderWay::Ready> TilesUnderWay::TakeReady() {
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

void TilesUnderWay::GiveUp(Condition condition) {
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

std::optional<tile::Priority> TilesUnderWay::AskedAt(const wire::TileKey& key) const {
  const auto found = tiles_.find(key);
  if (found == tiles_.end() || found->second.IsReady()) return std::nullopt;
  return found->second.priority;
}

bool TilesUnderWay::HasAny(Condition condition) const {
  return std::any_of(tiles_.begin(), tiles_.end(),
                     [&](const auto& entry) { return condition(entry.first); });
}

}  // namespace thalweg::session
