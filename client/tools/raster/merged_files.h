// Elevation models in several files, as one raster.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/tools/raster/gdal.h"
#include "client/tools/raster/mosaic.h"
#include "client/tools/raster/raster_file.h"
#include "client/tools/raster/reproject.h"
#include "client/tools/survey/grid.h"

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
  std::vector<std::string> notes;
};

// Reads the files, one at a time, and turns terraces of rounded heights into slopes. See
// ReadElevationModel for what becomes of several.
absl::StatusOr<MergedFiles> MergeFiles(const Gdal& gdal, const std::vector<std::string>& files,
                                       const ReadOptions& options);

}  // namespace thalweg::raster_file
