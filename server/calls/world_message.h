// A world as clients see it.
#pragma once

#include "server/world/world.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::calls {

v1::World ToProto(const world::World& world);

}  // namespace thalweg::calls
