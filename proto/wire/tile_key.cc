#include "proto/wire/tile_key.h"

#include "absl/strings/str_cat.h"

namespace thalweg::wire {

absl::Status CheckTileKey(const TileKey& key, int levels) {
  if (key.face != 0) {
    return absl::OutOfRangeError(
        absl::StrCat("tile face ", key.face, ": a plane has face 0 alone"));
  }
  if (key.level < 0 || key.level >= levels) {
    return absl::OutOfRangeError(
        absl::StrCat("tile level ", key.level, ": the world has levels 0 to ", levels - 1));
  }
  constexpr std::int64_t kMaxTile = kMaxVertex / kTileCells;
  for (const std::int64_t coordinate : {key.x, key.y}) {
    if (coordinate < -kMaxTile || coordinate >= kMaxTile) {
      return absl::OutOfRangeError(absl::StrCat(
          "tile coordinate ", coordinate, ": tiles reach from ", -kMaxTile, " to ", kMaxTile - 1));
    }
  }
  return absl::OkStatus();
}

}  // namespace thalweg::wire
