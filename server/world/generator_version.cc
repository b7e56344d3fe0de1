// In a file of its own, because tests/deploy builds a server of another version, which replaces it.
#include "server/world/level_program.h"

namespace thalweg::world {

constinit const std::uint32_t kGeneratorVersion = 10;

}  // namespace thalweg::world
