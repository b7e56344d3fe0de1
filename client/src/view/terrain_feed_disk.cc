// The part of TerrainFeed that reads from disk and writes to it.
#include <utility>

#include "absl/strings/escaping.h"
#include "client/src/contract/messages.h"
#include "client/src/view/terrain_feed.h"

namespace thalweg {

void TerrainFeed::ReadFromDisk(KnownTile& known) {
  if (known.reading) return;
  known.reading = true;
  disk_->Read(world_id_, known.tile);
}

void TerrainFeed::OnRead(const FiledTile& filed, absl::StatusOr<v1::Tile> message) {
  absl::StatusOr<Tile> tile =
      message.ok() ? FromMessage(*message, form_) : absl::StatusOr<Tile>(message.status());
  const std::lock_guard lock(mutex_);
  KnownTile* known = known_.Find(filed.key);
  // The tile has come from the server in the meantime, or the world has changed.
  if (known == nullptr || known->tile.tag != filed.tag || !known->reading) return;
  known->reading = false;
  if (tile.ok() && tile->world_id == world_id_) {
    ++statistics_.disk_reads;
    Keep(std::make_shared<const Tile>(*std::move(tile)), filed, TileSource::kDisk);
    return;
  }
  if (tile.ok() || absl::IsDataLoss(tile.status())) {
    ++statistics_.disk_corrupt;
    disk_->Discard(world_id_, filed);
  }
  known->on_disk = false;
  if (!memory_.Contains(filed.key)) Forget({filed.key});
}

void TerrainFeed::OnWritten(const FiledTile& filed, const absl::Status& status) {
  const std::lock_guard lock(mutex_);
  if (!status.ok()) return;
  ++statistics_.disk_writes;
  KnownTile* known = known_.Find(filed.key);
  if (known != nullptr) {
    if (known->tile.tag == filed.tag) known->on_disk = true;
  } else if (ExpectedTag(absl::HexStringToBytes(world_id_), filed.key, form_) == filed.tag) {
    // The tile left memory before it was written.
    known_.Add(filed, true);
    v1::SessionRequest have;
    AddHave(filed, *have.mutable_have());
    Send(std::move(have));
  }
}

}  // namespace thalweg
