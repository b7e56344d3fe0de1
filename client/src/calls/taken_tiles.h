// The tiles of a stream as they arrive.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "client/src/calls/missing_tiles.h"
#include "client/src/contract/checked_response.h"

namespace thalweg {

// Takes each tile of a rectangle once, in any order, over any number of attempts. Not thread-safe.
class TakenTiles {
 public:
  TakenTiles(const TileRectangle& rectangle, TileForm form)
      : form_(std::move(form)), missing_(rectangle) {}

  const MissingTiles& missing() const { return missing_; }

  // Begins an attempt: returns the tiles to ask for. At least one must be missing.
  TileRectangle Begin();

  // Decodes a received tile; nothing if it had arrived before. DATA_LOSS if it was not asked for,
  // is damaged or of another world than the others, or if more tiles arrive than were asked for.
  absl::StatusOr<std::optional<Tile>> Take(const v1::Tile& message);

 private:
  const TileForm form_;
  MissingTiles missing_;
  std::int64_t asked_for_ = 0;
  std::int64_t came_ = 0;
  std::string world_id_;  // in hexadecimal; empty before the first tile
};

}  // namespace thalweg
