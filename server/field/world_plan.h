// A world, with the shapes of its blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "server/world/block.h"
#include "server/world/world.h"

namespace thalweg::field {

// Immutable; shared by everything that waits for a block of the world.
struct WorldPlan {
  std::shared_ptr<const world::World> world;
  // One for each level.
  std::vector<world::BlockShape> shapes;
  // The shapes of quads; empty if blocks are larger than tiles.
  std::vector<world::BlockShape> quad_shapes;

  // About what one window of each shape costs, in cells; see world/cost.h.
  std::vector<double> window_cells;
  std::vector<double> quad_window_cells;

  // Cells in a row of a block, unless the surface allows only smaller ones.
  int block_cells = 0;

  world::BlockKey ParentOf(const world::BlockKey& key) const {
    return world::ParentOf(*world->level(key.level).surface, key, block_cells);
  }
  // Cells in a row of a level's blocks.
  int BlockCells(int level) const { return shapes[static_cast<std::size_t>(level)].block_cells; }
  // The number of windows of the block, or of the quad that it belongs to.
  int WindowsOf(const world::BlockKey& key, bool quad) const;
  // About what the block, or the quad that it belongs to, costs in cells.
  std::int64_t CellsOf(const world::BlockKey& key, bool quad = false) const;
};

// Makes each world's plan once. Not thread-safe.
class WorldPlans {
 public:
  explicit WorldPlans(int block_cells) : block_cells_(block_cells) {}

  std::shared_ptr<const WorldPlan> Of(const std::shared_ptr<const world::World>& world);

 private:
  int block_cells_;
  absl::flat_hash_map<std::string, std::shared_ptr<const WorldPlan>> plans_;
};

}  // namespace thalweg::field
