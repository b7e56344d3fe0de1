// What blocks cost to compute, estimated before they are computed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "server/world/block_shape.h"
#include "server/world/level_program.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// Costs are in *cells*. A cell is about what computing a cell of `alpine`, its window's margin
// included, costs at a level that starts from its parent. On two cores with lavapipe it takes this
// long.
inline constexpr double kNominalSecondsACell = 1.2e-6;

// The most that a block of 256 x 256 cells may cost: about 20 seconds of those two cores.
inline constexpr std::int64_t kMaxBlockCells = std::int64_t{16} << 20;

// About what one window of each level's block costs, from the recordings of the levels.
std::vector<double> WindowCells(std::span<const LevelProgram> programs,
                                std::span<const BlockShape> shapes);

// About what a block with this many windows costs, if one window costs `window_cells`.
double BlockCells(const LevelProgram& program, double window_cells, int windows);

// About what a block of 256 x 256 cells costs at each level: a whole planet where one block has all
// faces, else a block in the middle of a face.
std::vector<std::int64_t> LevelCosts(std::span<const LevelProgram> programs);

// INVALID_ARGUMENT if one of these LevelCosts is more than kMaxBlockCells. Names the node or the
// stage that costs most.
absl::Status CheckCost(const v1::WorldSpec& spec, std::span<const LevelProgram> programs,
                       std::span<const std::int64_t> costs);

}  // namespace thalweg::world
