// Where the windows of a run lie, and the real land under them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "server/backend/backend.h"
#include "shaders/stages/pass.glsl"

namespace thalweg::backend {

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
