// The time and bytes that a bake would take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "client/cli/bake_raster.h"

namespace thalweg::cli {

// Measurements of a few parts.
struct MeasuredParts {
  std::size_t parts = 0;
  std::int64_t vertices = 0;
  std::int64_t bytes = 0;  // in the folder
  double seconds = 0;
};

// Returns a duration such as "1 h 20 min" or "45 s".
std::string DurationText(double seconds);

// Estimates time and bytes of the whole bake from a few parts, as lines or as a JSON object.
std::string EstimateText(const Baking& baking, std::size_t parts, const MeasuredParts& measured,
                         bool json);

}  // namespace thalweg::cli
