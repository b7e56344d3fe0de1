#include "client/src/store/tile_memory.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "client/src/contract/messages.h"

namespace thalweg {

std::size_t TileMemory::BytesOf(const Tile& tile) {
  std::size_t bytes = 0;
  for (const Plane& plane : tile.planes) bytes += plane.values.size() * sizeof(std::int32_t);
  return bytes;
}

void TileMemory::Put(std::shared_ptr<const Tile> tile) {
  const std::unique_lock lock(mutex_);
  Held& held = tiles_[ToWire(tile->key)];
  if (held.tile != nullptr) bytes_ -= BytesOf(*held.tile);
  bytes_ += BytesOf(*tile);
  held = {std::move(tile), turn_};
}

std::shared_ptr<const Tile> TileMemory::Get(const wire::TileKey& key) const {
  const std::shared_lock lock(mutex_);
  const auto found = tiles_.find(key);
  return found == tiles_.end() ? nullptr : found->second.tile;
}

bool TileMemory::Contains(const wire::TileKey& key) const {
  const std::shared_lock lock(mutex_);
  return tiles_.contains(key);
}

void TileMemory::Pin(const std::vector<wire::TileKey>& keys) {
  const std::unique_lock lock(mutex_);
  ++turn_;
  for (const wire::TileKey& key : keys) {
    const auto found = tiles_.find(key);
    if (found != tiles_.end()) found->second.turn = turn_;
  }
}

std::vector<wire::TileKey> TileMemory::Evict() {
  const std::unique_lock lock(mutex_);
  std::vector<wire::TileKey> evicted;
  if (bytes_ <= budget_bytes_) return evicted;
  std::vector<std::pair<std::uint64_t, wire::TileKey>> candidates;
  for (const auto& [key, held] : tiles_) {
    if (held.turn != turn_) candidates.emplace_back(held.turn, key);
  }
  // Among equally old tiles the finest go first: a tile is of little use without its ancestors.
  std::sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : b.second < a.second;
  });
  // A little more than needed, so that tiles are not sorted at every arrival.
  const std::size_t wanted = budget_bytes_ - budget_bytes_ / 32;
  for (const auto& [turn, key] : candidates) {
    if (bytes_ <= wanted) break;
    const auto found = tiles_.find(key);
    bytes_ -= BytesOf(*found->second.tile);
    tiles_.erase(found);
    evicted.push_back(key);
  }
  return evicted;
}

void TileMemory::Clear() {
  const std::unique_lock lock(mutex_);
  tiles_.clear();
  bytes_ = 0;
}

std::size_t TileMemory::bytes() const {
  const std::shared_lock lock(mutex_);
  return bytes_;
}

std::size_t TileMemory::size() const {
  const std::shared_lock lock(mutex_);
  return tiles_.size();
}

}  // namespace thalweg
