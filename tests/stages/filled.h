// Stages and levels in the form that compilers get.
#pragma once

#include <string>

#include "server/stages/level_numbers.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

// A stage in text form, "thermal { rate: 1 }", with its defaults filled in.
v1::Stage Filled(const std::string& text);
v1::Stage Filled(const v1::Stage& stage);

// A level with cells of this size and a sea at 2 m.
LevelNumbers NumbersOf(double cell_size_m, int level = 0);

}  // namespace thalweg::stages
