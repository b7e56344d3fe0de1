// The sizes of a block.
#pragma once

namespace thalweg::world {

// Sizes in cells. A row of a block's result has block_cells + 2 apron + 1 vertices. A row of its
// window, in which it is computed, has 2 halo more.
struct BlockShape {
  int block_cells = 0;
  int apron = 0;
  int halo = 0;

  int ResultSide() const { return block_cells + 2 * apron + 1; }
  int WindowSide() const { return ResultSide() + 2 * halo; }
  // Vertices of the window before the core's first one.
  int Margin() const { return apron + halo; }

  friend bool operator==(const BlockShape&, const BlockShape&) = default;
};

}  // namespace thalweg::world
