#include "server/tile/store_misses.h"

namespace thalweg::tile {

void StoreMisses::Add(const cache::TileId& id) {
  const Clock::time_point now = now_();
  while (!order_.empty() &&
         (order_.size() >= kMaxTiles || now - order_.front().added >= kLifetime)) {
    DropOldest();
  }
  added_[id] = now;
  order_.push_back({id, now});
}

bool StoreMisses::Contains(const cache::TileId& id) const {
  const auto found = added_.find(id);
  return found != added_.end() && now_() - found->second < kLifetime;
}

void StoreMisses::DropOldest() {
  const Entry& oldest = order_.front();
  const auto found = added_.find(oldest.id);
  if (found != added_.end() && found->second == oldest.added) added_.erase(found);
  order_.pop_front();
}

}  // namespace thalweg::tile
