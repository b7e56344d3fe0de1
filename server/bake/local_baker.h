// Bakes without a network: a region's parts from the tiles of this process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "proto/bake/bake_plan.h"
#include "proto/bake/part_store.h"
#include "server/tile/tile_service.h"
#include "server/world/world.h"

namespace thalweg::bake {

struct LocalBake {
  std::shared_ptr<const world::World> world;
  Area area;
  // In the order of their numbers; the world has them.
  tile::LayerChoice layers;
  // The parts to make, in Morton order.
  std::vector<Part> parts;
  // Parts whose tiles are asked for at a time.
  int parts_under_way = 2;
  // Called after each part with the number of finished parts and of vertices made; by one thread at
  // a time.
  std::function<void(std::size_t done, std::int64_t vertices)> progress = {};
};

// Makes the parts that the store lacks. Finished parts stay after an error, so the same call goes
// on. Gives the first error of a tile or of the store.
absl::Status BakeLocally(tile::TileService& tiles, const LocalBake& bake, const PartStore& store);

}  // namespace thalweg::bake
