// Reads elevation models from files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/raster/sea_pixels.h"
#include "client/survey/grid.h"

namespace thalweg::raster_file {

// Min and max pixels on a side of a raster.
inline constexpr int kMinSide = 64;
inline constexpr int kMaxSide = 8192;
// Min and max side of a pixel: those of a world's levels.
inline constexpr double kMinCellM = 0.01;
inline constexpr double kMaxCellM = 4096;

// How to read a file that doesn't say it, or says it wrongly.
struct ReadOptions {
  // The band, from 1 on; absent: see ReadElevationModel.
  std::optional<int> band = {};
  // The unit of the heights, in metres; absent: the file's.
  std::optional<double> height_unit_m = {};
  // A reference system to bring the raster to, such as "EPSG:32632"; empty: see ProjectionFor.
  std::string crs = {};
  // What missing pixels at the edges are, and the height of the sea if they are that.
  NoData no_data = NoData::kFind;
  double sea_level_m = 0;
};

struct ElevationModel {
  survey::Grid<double> ground_m;
  double cell_size_m = 0;
  // Its coordinate reference system, in a form for PROJ; empty if it has no system in metres.
  std::string crs;
  // The middle of its north-west pixel in that system.
  double east = 0;
  double north = 0;
  // What was done to the file's values, each in a line for users: "heights in feet became metres".
  std::vector<std::string> notes;
};

// Reads heights from a file that GDAL can read: of the only band, or the one that is described as
// elevation, or the first one if it is not constant. They are in metres (HeightUnitOf), with the
// band's scale and offset. Edges that have no data are cut off or become sea (sea_pixels.h), and
// small holes are filled (missing_pixels.h). Pixels become square ones in metres on the ground
// (reproject.h). INVALID_ARGUMENT, with advice, for a file that is not a raster or is a picture,
// has large holes, has heights beyond 16 km, needs another projection and has no reference system,
// or has another size than these; FAILED_PRECONDITION if this machine has no GDAL.
absl::StatusOr<ElevationModel> ReadElevationModel(const std::string& path,
                                                  const ReadOptions& options = {});

}  // namespace thalweg::raster_file
