// In a file of its own: tests/deploy has a server of another version, which defines it instead.
#include "server/world/level_program.h"

namespace thalweg::world {

constinit const std::uint32_t kGeneratorVersion = 5;

}  // namespace thalweg::world
