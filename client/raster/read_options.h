// How to read elevation models.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "client/raster/sea_pixels.h"

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

}  // namespace thalweg::raster_file
