// Reads elevation models from files.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "client/survey/grid.h"

namespace thalweg::raster_file {

// Min and max pixels on a side of a raster.
inline constexpr int kMinSide = 64;
inline constexpr int kMaxSide = 8192;

struct ElevationModel {
  survey::Grid<double> ground_m;
  double cell_size_m = 0;
  // Its coordinate reference system, in a form for PROJ; empty if it has no system in metres.
  std::string crs;
  // The middle of its north-west pixel in that system.
  double east = 0;
  double north = 0;
};

// Reads the first band of a file that GDAL can read, in metres, without edges that have no data.
// INVALID_ARGUMENT, with advice, for a file that is not a raster, is rotated, has holes, has pixels
// that are not square or are in degrees, or has another size than these; FAILED_PRECONDITION if
// this machine has no GDAL.
absl::StatusOr<ElevationModel> ReadElevationModel(const std::string& path);

}  // namespace thalweg::raster_file
