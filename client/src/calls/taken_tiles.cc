#include "client/src/calls/taken_tiles.h"

#include "absl/strings/str_cat.h"
#include "client/src/contract/messages.h"
#include "proto/wire/status_macros.h"

namespace thalweg {

TileRectangle TakenTiles::Begin() {
  const TileRectangle remaining = missing_.Remaining();
  asked_for_ = remaining.columns * remaining.rows;
  came_ = 0;
  return remaining;
}

absl::StatusOr<std::optional<Tile>> TakenTiles::Take(const v1::Tile& message) {
  THALWEG_RETURN_IF_ERROR(CheckTileKey(message));
  const TileKey key = FromMessage(message.key());
  if (!missing_.Contains(key)) {
    return absl::DataLossError(
        absl::StrCat("invalid tile: expected one of the rectangle, got ", Describe(key)));
  }
  if (++came_ > asked_for_) {
    return absl::DataLossError(
        absl::StrCat("invalid stream: expected max ", asked_for_, " tiles, got more"));
  }
  if (!missing_.Take(key)) return std::nullopt;
  THALWEG_ASSIGN_OR_RETURN(Tile tile, FromMessage(message, form_));
  if (world_id_.empty()) world_id_ = tile.world_id;
  if (tile.world_id != world_id_) {
    return absl::DataLossError(absl::StrCat("tile ", Describe(key), ": invalid world id: expected ",
                                            world_id_, ", got ", tile.world_id));
  }
  return tile;
}

}  // namespace thalweg
