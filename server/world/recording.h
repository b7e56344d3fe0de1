// What a backend executes: the dispatches of one level's program, from its first ground to the
// layers that leave the window. Backends differ only in how they run a dispatch.
#pragma once

#include <vector>

#include "server/stages/dispatch.h"
#include "server/world/block_shape.h"
#include "server/world/level_program.h"

namespace thalweg::world {

// The layout of a finished block: plane after plane, each row-major, then the tiles' deviations.
struct ResultLayout {
  int side = 0;
  int planes = 0;
  int deviation_at = 0;
  int tile_bits = 0;
  int tiles = 0;  // in a row
  int size = 0;   // all values

  static ResultLayout Of(const BlockShape& shape, const LayerSet& layers);
};

struct RecordingOptions {
  // The layers that the block keeps.
  LayerSet kept;
  // Whether blocks have windows on several faces, between which values are copied.
  bool exchange_seams = false;
  // Whether stages copy theirs. Off only in tests: what a level starts from, and what blocks keep,
  // is copied anyway.
  bool exchange_in_stages = true;
  // Whether sweeps that follow each other are one dispatch. The result is the same.
  bool join_sweeps = false;
  // Stages skip vertices that can't reach the result. Off only in tests: the result is the same.
  bool shrink_window = true;
};

// Records a level's program for a number of windows side by side. `parent` is the shape of the
// parents' results; it is not read at level 0. Each plane of a window's state has WindowSide()^2
// vertices; heights have two planes.
std::vector<stages::Segment> Record(const LevelProgram& program, const BlockShape& shape,
                                    const BlockShape& parent, int windows,
                                    const RecordingOptions& options);

}  // namespace thalweg::world
