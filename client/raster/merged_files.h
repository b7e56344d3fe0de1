// Elevation models in several files, as one raster.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/raster/gdal.h"
#include "client/raster/mosaic.h"
#include "client/raster/raster_source.h"
#include "client/raster/reproject.h"
#include "client/survey/grid.h"

namespace thalweg::raster_file {

struct MergedFiles {
  // For errors: the path of the only file, or "3 files".
  std::string name;
  // NaN where no file has a height.
  survey::Grid<double> heights_m;
  Georeferenced place;
  std::vector<MosaicPart> parts;
  // Whether the files came to a common system already.
  bool is_projected = false;
  // The largest steps that heights of a file were rounded to.
  HeightSteps steps;
  std::vector<std::string> notes;
};

// Returns the rasters that these paths mean: a folder or a zip archive means those in it that GDAL
// reads, by name. INVALID_ARGUMENT for one without any.
absl::StatusOr<std::vector<std::string>> RasterFilesOf(const Gdal& gdal,
                                                       const std::vector<std::string>& paths);

// Reads the files, one at a time. See ReadElevationModel for what becomes of several.
absl::StatusOr<MergedFiles> MergeFiles(const Gdal& gdal, const std::vector<std::string>& files,
                                       const HeaderOptions& options, const std::string& crs,
                                       const std::function<void(double)>& progress);

}  // namespace thalweg::raster_file
