#include "client/src/session/known_tiles.h"

#include "client/src/contract/keys.h"
#include "proto/wire/limits.h"

namespace thalweg {
namespace {

// Returns messages that name all tiles. `add` adds one tile to a message.
template <typename Tiles, typename Add>
std::vector<v1::SessionRequest> MessagesOf(const Tiles& tiles, Add add) {
  std::vector<v1::SessionRequest> messages;
  std::size_t count = 0;
  for (const auto& tile : tiles) {
    if (count++ % wire::kMaxKeysPerMessage == 0) messages.emplace_back();
    add(messages.back(), tile);
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

std::vector<wire::TileKey> KnownTiles::OnDiskAlone(std::size_t max,
                                                   const TileMemory& memory) const {
  std::vector<wire::TileKey> keys;
  for (const auto& [key, known] : tiles_) {
    if (keys.size() == max) break;
    if (known.on_disk && !known.reading && !memory.Contains(key)) keys.push_back(key);
  }
  return keys;
}

std::vector<v1::SessionRequest> KnownTiles::HaveMessages() const {
  return MessagesOf(tiles_, [](v1::SessionRequest& message, const auto& known) {
    AddHave(known.second.tile, *message.mutable_have());
  });
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
  return MessagesOf(keys, [](v1::SessionRequest& message, const wire::TileKey& key) {
    *message.mutable_drop()->add_keys() = ToMessage(key);
  });
}

std::vector<v1::SessionRequest> WantMessages(const std::vector<wire::TileKey>& keys) {
  return MessagesOf(keys, [](v1::SessionRequest& message, const wire::TileKey& key) {
    *message.mutable_want()->add_keys() = ToMessage(key);
  });
}

}  // namespace thalweg
