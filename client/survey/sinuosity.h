// How much rivers wind.
#pragma once

#include <optional>

#include "client/survey/drainage.h"

namespace thalweg::survey {

// The mean, over all cells of rivers, of the way of the next 24 steps down by its chord. A river
// drains so many cells or more. 1 is straight; D8 ways of real rivers have 1.16 to 1.22 at cells of
// 30 to 90 m. Nothing where fewer than 20 cells have so long a way.
inline constexpr int kRiverArea = 400;
std::optional<double> Sinuosity(const Drainage& drainage);

}  // namespace thalweg::survey
