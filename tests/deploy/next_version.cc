// In place of server/world/generator_version.cc.
#include "server/world/level_program.h"

namespace thalweg::world {

// Above all that there will be.
constinit const std::uint32_t kGeneratorVersion = 1'000'000;

}  // namespace thalweg::world
