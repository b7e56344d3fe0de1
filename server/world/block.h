// Blocks: what the engine computes at once. A block of a level is block_cells x block_cells cells,
// its core, and an apron: a margin on every side that is computed too, because the block's children
// need it. So every block needs exactly one other, its parent, and a request is a chain and not a
// fan.
#pragma once

#include <cstdint>
#include <vector>

#include "server/world/block_shape.h"
#include "server/world/level_program.h"

namespace thalweg::world {

// Names a block of a level of a face: its core begins at vertex (block_cells x, block_cells y).
struct BlockKey {
  int face = 0;
  int level = 0;
  std::int64_t x = 0;
  std::int64_t y = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): what clang-tidy 14 takes the comparison with 0 for.
  friend auto operator<=>(const BlockKey&, const BlockKey&) = default;

  template <typename H>
  friend H AbslHashValue(H h, const BlockKey& key) {
    return H::combine(std::move(h), key.face, key.level, key.x, key.y);
  }
};

// The block whose ground this one starts from, for this wanted number of block cells. The level
// must be over 0.
BlockKey ParentOf(const Surface& surface, const BlockKey& key, int block_cells);

// The face of the block that a face's ground lies in: 0 where all faces are one block.
int BlockFace(const Surface& surface, int level, int face);

// The number of a face's window among the block's windows.
int WindowOf(const Surface& surface, int level, int face);

// The apron that reads need: the neighbours of the vertices on a tile's edge, for their slopes.
inline constexpr int kMinApron = 1;

// The shapes of every level's blocks, of `block_cells` unless the surface allows only smaller ones:
// each apron is the smallest that the next level and reads need.
std::vector<BlockShape> BlockShapes(const std::vector<LevelProgram>& programs, int block_cells);

}  // namespace thalweg::world
