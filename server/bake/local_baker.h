// Bakes without a network: makes the parts of a region from tiles of this process.
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
  // The world must have these layers.
  tile::LayerChoice layers;
  // The parts to make, in Morton order.
  std::vector<Part> parts;
  // Called after each part with the numbers of finished parts and of made vertices, by one thread
  // at a time.
  std::function<void(std::size_t done, std::int64_t vertices)> progress = {};
};

// Makes the parts that the store lacks. Finished parts stay after an error, so a new call
// continues. Returns the first error of a tile or of the store.
absl::Status BakeLocally(tile::TileService& tiles, const LocalBake& bake, const PartStore& store);

}  // namespace thalweg::bake
