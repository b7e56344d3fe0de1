// Elevation models in files.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "client/survey/grid.h"

namespace thalweg::raster_file {

// The fewest and the most pixels on a side that are read.
inline constexpr int kMinSide = 64;
inline constexpr int kMaxSide = 8192;

struct ElevationModel {
  survey::Grid<double> ground_m;
  double cell_size_m = 0;
  // Its coordinate reference system, in a form for PROJ; empty if it has none in metres.
  std::string crs;
  // The middle of its north-west pixel in that system.
  double east = 0;
  double north = 0;
};

// The first band of a file that GDAL reads, in metres, without edges that have no data.
// INVALID_ARGUMENT, with advice, for a file that is not a raster, is rotated, has holes or pixels
// that are not square or are in degrees, or is outside these sizes; FAILED_PRECONDITION if the
// machine has no GDAL.
absl::StatusOr<ElevationModel> ReadElevationModel(const std::string& path);

}  // namespace thalweg::raster_file
