// How much rivers wind.
#pragma once

#include <optional>

#include "client/survey/drainage.h"

namespace thalweg::survey {

// Returns the length of a river's next 24 steps divided by their chord, averaged over all river
// cells. At least kRiverArea cells drain to a river cell. 1 is straight; D8 ways of real rivers
// have 1.16 to 1.22 with cells of 30 to 90 m. Nothing if fewer than 20 cells have 24 steps.
inline constexpr int kRiverArea = 400;
std::optional<double> Sinuosity(const Drainage& drainage);

}  // namespace thalweg::survey
