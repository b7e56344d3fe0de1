// The texts of the presets, embedded by the build.
#pragma once

#include <span>

namespace thalweg::world {

// JSON, ordered by file name. Lives as long as the program.
std::span<const char* const> PresetTexts();

}  // namespace thalweg::world
