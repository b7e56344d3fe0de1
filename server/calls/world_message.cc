#include "server/calls/world_message.h"

#include <cstdint>

#include "proto/wire/tile_key.h"
#include "server/tile/tile_layers.h"

namespace thalweg::calls {

v1::World ToProto(const world::World& world) {
  v1::World message;
  message.set_id(world.id());
  *message.mutable_spec() = world.spec();
  message.set_generator_version(world::kGeneratorVersion);
  for (const v1::Layer layer : tile::LayersOf(world.layers())) message.add_layers(layer);
  message.set_max_vertex(wire::kMaxVertex);
  for (const std::int64_t cost : world.level_costs()) message.add_level_costs(cost);
  return message;
}

}  // namespace thalweg::calls
