#include "server/world/block.h"

#include <algorithm>

#include "proto/wire/tile_key.h"

namespace thalweg::world {

BlockKey ParentOf(const FaceLayout& surface, const BlockKey& key, int block_cells) {
  const int level = key.level - 1;
  // In cells of this level; a cell of the parent has two of them in a row.
  const std::int64_t cells = surface.BlockCells(key.level, block_cells);
  const std::int64_t parent_cells = 2 * std::int64_t{surface.BlockCells(level, block_cells)};
  return {BlockFace(surface, level, key.face), level,
          wire::FloorDivide(key.x * cells, parent_cells),
          wire::FloorDivide(key.y * cells, parent_cells)};
}

int BlockFace(const FaceLayout& surface, int level, int face) {
  return surface.IsOneBlock(level) ? 0 : face;
}

int WindowOf(const FaceLayout& surface, int level, int face) {
  return surface.IsOneBlock(level) ? face : 0;
}

std::vector<BlockShape> BlockShapes(const std::vector<LevelProgram>& programs, int block_cells) {
  std::vector<BlockShape> shapes(programs.size());
  int apron = kMinApron;
  for (std::size_t i = programs.size(); i-- > 0;) {
    const int halo = programs[i].HaloCells();
    const int cells = programs[i].surface->BlockCells(static_cast<int>(i), block_cells);
    shapes[i] = {.block_cells = cells, .apron = apron, .halo = halo};
    // With a margin m of apron and halo, the first vertex is -m from the core and its parent
    // -ceil(m/2); the last one is block_cells + m and its parent block_cells/2 + floor(m/2). The
    // core is a half of the parent's.
    apron = std::max((apron + halo + 1) / 2 + programs[i].ParentReachCells(), kMinApron);
  }
  return shapes;
}

}  // namespace thalweg::world
