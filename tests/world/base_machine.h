// The stack machine of shaders/stages/base.comp, for one vertex.
#pragma once

#include <cstdint>

#include "server/world/level_program.h"

namespace thalweg::world {

// The ground of level 0 at a vertex, in metres. Aborts if the program exceeds the machine's stack
// or its places, or does not end with one or two values.
float RunBase(const LevelProgram& program, std::int64_t x, std::int64_t y);

// The same at any place, for programs without noise.
float RunBaseAt(const LevelProgram& program, const kernels::Place& place);

// The steepness of rivers at a vertex; 1 if the program ends with only one value.
float RunSteepness(const LevelProgram& program, std::int64_t x, std::int64_t y);

}  // namespace thalweg::world
