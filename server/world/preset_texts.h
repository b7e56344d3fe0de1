// The texts of the presets, embedded by the build.
#pragma once

#include <span>

namespace thalweg::world {

// The presets' JSON, ordered by file name. The texts live as long as the program.
std::span<const char* const> PresetTexts();

}  // namespace thalweg::world
