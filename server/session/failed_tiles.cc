#include "server/session/failed_tiles.h"

#include <algorithm>

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

}  // namespace thalweg::session
