// Contour lines of a bake.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/cli/bake_levels.h"
#include "client/cli/bake_raster.h"

namespace thalweg::cli {

// Larger regions need several files: GDAL's generator holds all lines.
inline constexpr std::int64_t kMaxContourSide = 8193;

// Fails at once if the file can't be written, or if the region is too large or too small.
absl::Status CheckContours(const Baking& baking);

// Writes the contours of a part's heights; returns the file's name.
absl::StatusOr<std::vector<std::string>> WriteContours(const Baking& baking,
                                                       const BakedLevel& level);

}  // namespace thalweg::cli
