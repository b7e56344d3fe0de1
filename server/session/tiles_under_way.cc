#include "server/session/tiles_under_way.h"

#include <algorithm>

#include "proto/lod/tile_tree.h"

namespace thalweg::session {
namespace {

// The max bytes of one value of a layer in a tile.
constexpr std::size_t kMaxValueBytes = 4;
constexpr std::size_t kLayerBytes =
    std::size_t{wire::kTileVertices} * wire::kTileVertices * kMaxValueBytes;

}  // namespace

void TilesUnderWay::SetLayers(std::size_t layers) {
  max_ = std::min(kSessionWindowTiles, kSessionWindowBytes / (kLayerBytes * layers));
}

std::uint64_t TilesUnderWay::Ask(const wire::TileKey& key, field::Priority priority) {
  GiveUp([&key](const wire::TileKey& other) { return other == key; });
  tiles_[key] = {.number = next_number_, .priority = priority};
  return next_number_++;
}

TilesUnderWay::Tile* TilesUnderWay::Find(const wire::TileKey& key, std::uint64_t number) {
  const auto found = tiles_.find(key);
  if (found == tiles_.end()) return nullptr;
  Tile& tile = found->second;
  return tile.number == number && !tile.IsReady() ? &tile : nullptr;
}

void TilesUnderWay::SetTicket(const wire::TileKey& key, std::uint64_t number, Ticket ticket) {
  if (Tile* const tile = Find(key, number)) {
    tile->ticket = ticket;
  } else if (ticket != tile::TileService::kAnswered) {
    // The request was given up meanwhile; or it was answered, and Cancel does nothing.
    given_up_.push_back(ticket);
  }
}

bool TilesUnderWay::Answer(const wire::TileKey& key, std::uint64_t number,
                           const absl::StatusOr<cache::FinishedTile>& tile) {
  Tile* const asked = Find(key, number);
  if (asked == nullptr) return false;
  if (tile.ok()) {
    asked->finished = *tile;
    ++ready_;
  } else {
    tiles_.erase(key);
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
      given_up_.push_back(tile.ticket);
    }
    return true;
  });
}

std::optional<field::Priority> TilesUnderWay::AskedAt(const wire::TileKey& key) const {
  const auto found = tiles_.find(key);
  if (found == tiles_.end() || found->second.IsReady()) return std::nullopt;
  return found->second.priority;
}

bool TilesUnderWay::HasAny(Condition condition) const {
  return std::any_of(tiles_.begin(), tiles_.end(),
                     [&](const auto& entry) { return condition(entry.first); });
}

}  // namespace thalweg::session
