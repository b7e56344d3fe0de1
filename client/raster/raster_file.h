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
  // Its coordinate reference system, as PROJ reads it; empty if it has none, or none in metres.
  std::string crs;
  // Where the middle of its north-west pixel is in that.
  double east = 0;
  double north = 0;
};

// The first band of a file that GDAL reads, in metres, without edges that have no data.
// INVALID_ARGUMENT for a file that is no raster, is rotated, has pixels that are not square or are
// in degrees, is smaller or larger than that, or has holes, with what to do about it;
// FAILED_PRECONDITION where the machine has no GDAL.
absl::StatusOr<ElevationModel> ReadElevationModel(const std::string& path);

}  // namespace thalweg::raster_file
