#include "server/tiles3d/errors.h"

namespace thalweg::tiles3d {

double GeometricErrorM(const world::World& world, int level) {
  return 8 * world.level(level).cell_size_m;
}

double MarginM(const world::World& world, int level) { return 2 * world.level(level).cell_size_m; }

double SkirtM(const world::World& world, int level) { return 4 * world.level(level).cell_size_m; }

}  // namespace thalweg::tiles3d
