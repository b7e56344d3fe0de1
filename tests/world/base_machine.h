// The stack machine of shaders/stages/base.comp, for one vertex.
#pragma once

#include <cstdint>

#include "server/world/level_program.h"

namespace thalweg::world {

// The ground of level 0 at a vertex in metres. Aborts when the program leaves the stack or the
// places that the machine has, or leaves neither one value nor two.
float RunBase(const LevelProgram& program, std::int64_t x, std::int64_t y);

// The steepness of rivers there; 1 where the program leaves one value only.
float RunSteepness(const LevelProgram& program, std::int64_t x, std::int64_t y);

}  // namespace thalweg::world
