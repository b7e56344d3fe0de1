#include "server/field/tile_reader.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "proto/wire/status_macros.h"

namespace thalweg::field {

world::BlockKey BlockOf(const wire::TileKey& tile, int block_cells) {
  // Tiles in a row of a block are a power of two: the shift rounds down for negative tiles too.
  const int shift = std::countr_zero(static_cast<unsigned>(block_cells)) - wire::kTileBits;
  return {tile.face, tile.level, tile.x >> shift, tile.y >> shift};
}

absl::StatusOr<TileValues> ReadTile(backend::Backend& backend, const backend::Block& block,
                                    const wire::TileKey& tile,
                                    const std::vector<backend::Layer>& layers, int margin) {
  const int tiles = block.shape().block_cells >> wire::kTileBits;
  const int column = static_cast<int>(tile.x & (tiles - 1));
  const int row = static_cast<int>(tile.y & (tiles - 1));
  const int side = wire::kTileVertices + 2 * margin;
  const backend::Rect rect{block.shape().apron - margin + column * wire::kTileCells,
                           block.shape().apron - margin + row * wire::kTileCells, side, side};
  TileValues values;
  for (const backend::Layer layer : layers) {
    std::vector<std::int32_t> plane(static_cast<std::size_t>(side) *
                                    static_cast<std::size_t>(side));
    THALWEG_RETURN_IF_ERROR(backend.Read(block, layer, rect, plane));
    values.planes.push_back(std::move(plane));
  }
  THALWEG_ASSIGN_OR_RETURN(const std::vector<std::int32_t> deviations,
                           backend.ReadDeviations(block));
  values.geometric_error =
      deviations.at(static_cast<std::size_t>(std::int64_t{row} * tiles + column));
  return values;
}

}  // namespace thalweg::field
