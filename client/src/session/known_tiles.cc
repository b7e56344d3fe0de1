#include "client/src/session/known_tiles.h"

#include "client/src/contract/keys.h"
#include "proto/wire/limits.h"

namespace thalweg {
namespace {

// Names all keys, in messages whose part of keys `part` gives.
template <typename Part>
std::vector<v1::SessionRequest> MessagesOf(const std::vector<wire::TileKey>& keys, Part part) {
  std::vector<v1::SessionRequest> messages;
  for (std::size_t n = 0; n < keys.size(); ++n) {
    if (n % wire::kMaxKeysPerMessage == 0) messages.emplace_back();
    *part(messages.back()).add_keys() = ToMessage(keys[n]);
  }
  return messages;
}

}  // namespace

KnownTile* KnownTiles::Find(const wire::TileKey& key) {
  const auto found = tiles_.find(key);
  return found == tiles_.end() ? nullptr : &found->second;
}

const lod::TileFacts* KnownTiles::FactsOf(const wire::TileKey& key) const {
  const auto found = tiles_.find(key);
  return found == tiles_.end() ? nullptr : &found->second.tile.facts;
}

void KnownTiles::Add(const FiledTile& tile, bool on_disk) {
  KnownTile& known = tiles_[tile.key];
  const bool same = known.tile.tag == tile.tag;
  known = {.tile = tile, .on_disk = on_disk || (same && known.on_disk), .reading = false};
}

std::vector<wire::TileKey> KnownTiles::OnDiskAlone(std::size_t max, const TileStore& store) const {
  std::vector<wire::TileKey> keys;
  for (const auto& [key, known] : tiles_) {
    if (keys.size() == max) break;
    if (known.on_disk && !known.reading && !store.Contains(key)) keys.push_back(key);
  }
  return keys;
}

std::vector<v1::SessionRequest> KnownTiles::HaveMessages() const {
  std::vector<v1::SessionRequest> messages;
  std::size_t tiles = 0;
  for (const auto& [key, known] : tiles_) {
    if (tiles++ % wire::kMaxKeysPerMessage == 0) messages.emplace_back();
    AddHave(known.tile, *messages.back().mutable_have());
  }
  return messages;
}

void AddHave(const FiledTile& tile, v1::HaveTiles& have) {
  v1::HaveTile& message = *have.add_tiles();
  *message.mutable_key() = ToMessage(tile.key);
  message.set_tag(tile.tag);
  message.set_geometric_error(tile.facts.geometric_error);
  message.set_min_height(tile.facts.min_height);
  message.set_max_height(tile.facts.max_height);
}

std::vector<v1::SessionRequest> DropMessages(const std::vector<wire::TileKey>& keys) {
  return MessagesOf(
      keys, [](v1::SessionRequest& message) -> v1::DropTiles& { return *message.mutable_drop(); });
}

std::vector<v1::SessionRequest> WantMessages(const std::vector<wire::TileKey>& keys) {
  return MessagesOf(
      keys, [](v1::SessionRequest& message) -> v1::WantTiles& { return *message.mutable_want(); });
}

}  // namespace thalweg
