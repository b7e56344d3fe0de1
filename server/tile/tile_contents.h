// A tile for callers that need its numbers, not its bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "server/cache/tile_id.h"
#include "server/field/field.h"
#include "server/tile/answer_room.h"
#include "server/tile/tile_query.h"

namespace thalweg::tile {

// The tile as it was found: values that were just computed, or bytes from a cache. Cheap to copy.
class TileContents {
 public:
  explicit TileContents(std::shared_ptr<const field::TileValues> values)
      : source_(std::move(values)) {}
  explicit TileContents(cache::TileBytes bytes) : source_(std::move(bytes)) {}

  // Holds room for as long as this or a copy of it exists.
  void Hold(AnswerRoom::Share share);

  // 257 x 257 values for each layer, in the order of the layers' numbers. `query` must be the query
  // of this tile, of exact precision. DATA_LOSS if the bytes are not a tile with exactly these
  // layers. Takes up to a few milliseconds.
  absl::StatusOr<std::vector<std::vector<std::int32_t>>> Planes(const TileQuery& query) const;

 private:
  std::variant<std::shared_ptr<const field::TileValues>, cache::TileBytes> source_;
};

}  // namespace thalweg::tile
