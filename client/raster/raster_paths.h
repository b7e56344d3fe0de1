// Which rasters the paths that users give mean.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/raster/gdal.h"

namespace thalweg::raster_file {

// Returns the rasters that these paths mean: a folder or a zip archive means those in it that GDAL
// reads, by name. INVALID_ARGUMENT for one without any.
absl::StatusOr<std::vector<std::string>> RasterFilesOf(const Gdal& gdal,
                                                       const std::vector<std::string>& paths);

}  // namespace thalweg::raster_file
