// Reads elevation models from files.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/tools/raster/missing_pixels.h"
#include "client/tools/survey/grid.h"

namespace thalweg::raster_file {

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
  // The step in metres that heights were rounded to, whose terraces become slopes; 0: none; absent:
  // what all heights of a file are multiples of.
  std::optional<double> step_m = {};
  // Is called with the part of the files that was read, 0 to 1.
  std::function<void(double)> progress = [](double) {};
};

// Min pixels on a side of a raster.
inline constexpr int kMinSide = 64;
// Min and max side of a pixel: those of a world's levels.
inline constexpr double kMinCellM = 0.01;
inline constexpr double kMaxCellM = 4096;

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

// Reads heights from rasters that GDAL can read, of which a folder or a zip archive has several: of
// the only band, or the one that is described as elevation, or the first one if it is not constant.
// They are in metres (HeightUnitOf), with the band's scale and offset. Several rasters become one:
// on their grid if they share one, else in the system that the first one needs, with the smallest
// pixels that any has. Of two heights in one place that of smaller pixels counts, then that of the
// first file. More than kMaxSide pixels on a side are averaged. Edges that have no data are cut off
// or become sea, and small holes are filled (missing_pixels.h). Terraces of rounded heights become
// slopes (height_unit.h). Pixels become square ones in metres on the ground (reproject.h).
// INVALID_ARGUMENT, with advice, for files that are not rasters or are pictures, have large holes,
// heights beyond 16 km or different vertical datums, need another projection and have no reference
// system, disagree (merged_files.h), or have too few pixels; FAILED_PRECONDITION if this machine
// has no GDAL.
absl::StatusOr<ElevationModel> ReadElevationModel(const std::vector<std::string>& paths,
                                                  const ReadOptions& options = {});

}  // namespace thalweg::raster_file
