#include "server/field/world_plan.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "proto/wire/tile_key.h"
#include "server/world/cost.h"

namespace thalweg::field {
namespace {

// Any number of worlds can exist, since seeds make new ones. A plan in use outlives its entry here.
constexpr std::size_t kMaxPlans = 256;

}  // namespace

int WorldPlan::WindowsOf(const world::BlockKey& key, bool quad) const {
  const std::int64_t cells = BlockCells(key.level);
  // A quad begins where its north-west child begins.
  const std::int64_t least = quad ? ~std::int64_t{1} : ~std::int64_t{0};
  const world::BlockShape& shape =
      (quad ? quad_shapes : shapes)[static_cast<std::size_t>(key.level)];
  const world::FaceLayout& surface = *world->level(key.level).surface;
  return static_cast<int>(
      surface
          .PatchesOf(key.level, shape, key.face, (key.x & least) * cells, (key.y & least) * cells)
          .size());
}

std::int64_t WorldPlan::CellsOf(const world::BlockKey& key, bool quad) const {
  const std::vector<double>& cells = quad ? quad_window_cells : window_cells;
  return std::llround(world::BlockCells(
      world->level(key.level), cells[static_cast<std::size_t>(key.level)], WindowsOf(key, quad)));
}

std::shared_ptr<const WorldPlan> WorldPlans::Of(const std::shared_ptr<const world::World>& world) {
  const auto known = plans_.find(world->id());
  if (known != plans_.end()) return known->second;
  auto plan = std::make_shared<WorldPlan>();
  plan->world = world;
  plan->block_cells = block_cells_;
  plan->shapes = world::BlockShapes(world->programs(), block_cells_);
  plan->window_cells = world::WindowCells(world->programs(), plan->shapes);
  if (block_cells_ == wire::kTileCells) {
    plan->quad_shapes = world::BlockShapes(world->programs(), 2 * block_cells_);
    plan->quad_window_cells = world::WindowCells(world->programs(), plan->quad_shapes);
  }
  if (plans_.size() >= kMaxPlans) plans_.clear();
  plans_.emplace(world->id(), plan);
  return plan;
}

}  // namespace thalweg::field
