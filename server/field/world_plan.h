// A world, with the shapes that its blocks have.
#pragma once

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
  // One a level.
  std::vector<world::BlockShape> shapes;
  // Of four siblings that are computed as one block, one a level; none where blocks are larger than
  // tiles.
  std::vector<world::BlockShape> quad_shapes;
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
