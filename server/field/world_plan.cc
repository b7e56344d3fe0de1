#include "server/field/world_plan.h"

#include <cstddef>
#include <utility>

#include "proto/wire/tile_key.h"

namespace thalweg::field {
namespace {

// Seeds make worlds without end; what is in use outlives its place here.
constexpr std::size_t kMaxPlans = 256;

}  // namespace

std::shared_ptr<const WorldPlan> WorldPlans::Of(const std::shared_ptr<const world::World>& world) {
  const auto known = plans_.find(world->id());
  if (known != plans_.end()) return known->second;
  auto plan = std::make_shared<WorldPlan>();
  plan->world = world;
  plan->shapes = world::BlockShapes(world->programs(), block_cells_);
  if (block_cells_ == wire::kTileCells) {
    plan->quad_shapes = world::BlockShapes(world->programs(), 2 * block_cells_);
  }
  if (plans_.size() >= kMaxPlans) plans_.clear();
  plans_.emplace(world->id(), plan);
  return plan;
}

}  // namespace thalweg::field
