// What a backend executes: the dispatches of one level's program, from its first ground to the
// layers that leave the window. Backends differ only in how they run a dispatch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "server/backend/backend.h"
#include "server/stages/dispatch.h"
#include "server/stages/recorder.h"
#include "shaders/stages/pass.glsl"

namespace thalweg::backend {

using stages::Dispatch;
using stages::Segment;

// Cuts segments into at most `parts` parts with about equal numbers of invocations. Keeps the
// order; cuts no dispatch in two.
std::vector<std::vector<Segment>> InParts(std::vector<Segment> segments, int parts);

// The layout of a finished block: plane after plane, each row-major, then the tiles' deviations.
struct ResultLayout {
  int side = 0;
  int planes = 0;
  int deviation_at = 0;
  int tile_bits = 0;
  int tiles = 0;  // in a row
  int size = 0;   // all values

  static ResultLayout Of(const world::BlockShape& shape, const LayerSet& layers);
};

// Records a level's program for a number of windows side by side. `parent` is the shape of the
// parents' results; it is not read at level 0. Each plane of a window's state has WindowSide()^2
// vertices; heights have two planes. cross_edges: whether blocks have windows on several faces.
std::vector<Segment> Record(const world::LevelProgram& program, const world::BlockShape& shape,
                            const world::BlockShape& parent, int windows, bool cross_edges,
                            const RunOptions& options);

// How many values of real land each block of a level needs; 0 if the level has none.
std::size_t ElevationValues(const world::LevelProgram& program, const world::BlockShape& shape);

// Writes the values of real land of all blocks, one block after the other.
void FillElevation(const world::LevelProgram& program, const world::BlockShape& shape,
                   std::span<const Job> jobs, std::span<std::int32_t> values);

// The windows of a run. A block's windows are consecutive, the one on its own face first.
struct Placement {
  std::vector<kernels::Job> windows;
  // For each window, the index of the window of the block's parent that it starts from.
  std::vector<int> parent_windows;
  // The index of each block's first window, and at the end the number of all windows.
  std::vector<std::size_t> blocks = {0};

  std::size_t WindowsOf(std::size_t block) const { return blocks[block + 1] - blocks[block]; }
  // Whether blocks reach over the edges of faces.
  bool CrossesEdges() const { return windows.size() + 1 > blocks.size(); }
};

// Checks the jobs, and finds the windows of each and their positions in their parents.
// INVALID_ARGUMENT if a parent is missing or too small, or if shapes differ.
absl::StatusOr<Placement> PlaceJobs(const world::LevelProgram& program,
                                    const world::BlockShape& shape, std::span<const Job> jobs);

}  // namespace thalweg::backend
