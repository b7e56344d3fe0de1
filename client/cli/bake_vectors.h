// Rivers and lakes of a bake, as a GeoPackage.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/cli/bake_levels.h"
#include "client/cli/bake_raster.h"

namespace thalweg::cli {

// Rivers are found over the whole region at once, in memory: 60 bytes a vertex, so up to 4 GB.
inline constexpr std::int64_t kMaxVectorSide = 8193;

// Returns the world's layers that rivers and lakes are found from.
std::vector<Layer> VectorLayersOf(const WorldInfo& world);

// Fails at once if the file or its place can't be written, or if the region is too large.
absl::Status CheckVectors(const Baking& baking);

// Writes rivers and lakes from parts with the layers of VectorLayersOf; returns the file's name.
absl::StatusOr<std::vector<std::string>> WriteVectors(const Baking& baking,
                                                      const BakedLevel& level);

}  // namespace thalweg::cli
