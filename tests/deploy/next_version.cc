// Replaces server/world/generator_version.cc in a program that stands for a later version.
#include "server/world/level_program.h"

namespace thalweg::world {

// Higher than any real version.
constinit const std::uint32_t kGeneratorVersion = 1'000'000;

}  // namespace thalweg::world
