#include "client/src/known_tiles.h"

#include "client/src/keys.h"

namespace thalweg {
namespace {

// A message stays far below any limit of its size.
constexpr int kTilesAMessage = 4'096;

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

std::vector<wire::TileKey> KnownTiles::OnDiskAlone(std::size_t most, const TileStore& store) const {
  std::vector<wire::TileKey> keys;
  for (const auto& [key, known] : tiles_) {
    if (keys.size() == most) break;
    if (known.on_disk && !known.reading && !store.Contains(key)) keys.push_back(key);
  }
  return keys;
}

std::vector<v1::SessionRequest> KnownTiles::HaveMessages() const {
  std::vector<v1::SessionRequest> messages;
  for (const auto& [key, known] : tiles_) {
    if (messages.empty() || messages.back().have().tiles_size() == kTilesAMessage) {
      messages.emplace_back();
    }
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
  std::vector<v1::SessionRequest> messages;
  for (const wire::TileKey& key : keys) {
    if (messages.empty() || messages.back().drop().keys_size() == kTilesAMessage) {
      messages.emplace_back();
    }
    *messages.back().mutable_drop()->add_keys() = ToMessage(key);
  }
  return messages;
}

}  // namespace thalweg
