// A tile as it was found: its bytes, or its numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/wire/tile_key.h"
#include "server/cache/tile_cache.h"
#include "server/field/field.h"
#include "server/sharing/answer_room.h"
#include "server/tile/tile_query.h"

namespace thalweg::tile {

// The serialized thalweg.v1.Tile and its facts. The values must be those of
// SourcesOf(query.layers.List()). Equal queries and values give equal bytes.
cache::FinishedTile EncodeTile(const TileQuery& query, const field::TileValues& values);

// The max bytes of a layer of a tile, encoded or as values.
inline constexpr std::size_t kMaxLayerBytes =
    std::size_t{wire::kTileVertices} * wire::kTileVertices * sizeof(std::int32_t);

// The max bytes of a tile as its caller gets it, encoded or as values. The size is known only when
// the tile is made.
std::size_t MaxAnswerBytes(const TileQuery& query);

// Values that were just computed, or bytes that were encoded or came from a cache. Cheap to copy.
class TileContents {
 public:
  // No tile.
  TileContents() = default;
  explicit TileContents(std::shared_ptr<const field::TileValues> values)
      : source_(std::move(values)) {}
  explicit TileContents(cache::FinishedTile tile) : source_(std::move(tile)) {}

  // The bytes and their facts. Always there unless the query wanted values.
  const cache::FinishedTile& finished() const& { return std::get<cache::FinishedTile>(source_); }
  cache::FinishedTile finished() && { return std::get<cache::FinishedTile>(std::move(source_)); }

  // Holds room for as long as this or a copy of it exists: as much as the bytes take, or what the
  // share holds if the query wanted values.
  void Hold(bool wants_values, sharing::AnswerRoom::Share share);

  // 257 x 257 values for each layer, in the order of the layers' numbers. `query` must be the query
  // of this tile, of exact precision. DATA_LOSS if the bytes are not a tile with exactly these
  // layers. Takes up to a few milliseconds.
  absl::StatusOr<std::vector<std::vector<std::int32_t>>> Planes(const TileQuery& query) const;

 private:
  std::variant<cache::FinishedTile, std::shared_ptr<const field::TileValues>> source_;
};

}  // namespace thalweg::tile
