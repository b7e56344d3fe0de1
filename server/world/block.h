// Blocks: the units that are computed and kept. A block of a level has a core of block_cells x
// block_cells cells, and an apron: a margin on every side, because the block's children need it. So
// every block needs exactly one other, its parent: a request needs a chain of blocks, not a tree.
#pragma once

#include <cstdint>
#include <vector>

#include "server/world/block_shape.h"
#include "server/world/level_program.h"

namespace thalweg::world {

// Names a block of a face's level: its core begins at vertex (block_cells x, block_cells y).
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
// must be above 0.
BlockKey ParentOf(const FaceLayout& surface, const BlockKey& key, int block_cells);

// The face of the block that has this face's ground: 0 where one block has all faces.
int BlockFace(const FaceLayout& surface, int level, int face);

// The index of a face's window among its block's windows.
int WindowOf(const FaceLayout& surface, int level, int face);

// The apron that reads need: the neighbours of the vertices on a tile's edge, for their slopes.
inline constexpr int kMinApron = 1;

// The shapes of every level's blocks. Blocks have `block_cells`, unless the surface allows only
// smaller ones. Each apron is the smallest that the next level and reads need.
std::vector<BlockShape> BlockShapes(const std::vector<LevelProgram>& programs, int block_cells);

}  // namespace thalweg::world
