// Elevation models in several files, as one raster.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/tools/raster/gdal.h"
#include "client/tools/raster/raster_file.h"
#include "client/tools/raster/reproject.h"
#include "client/tools/survey/grid.h"

namespace thalweg::raster_file {

// The largest number of pixels on a side that become one: larger rasters would be read for hours.
inline constexpr int kMaxReduction = 16;

// A raster's place in a mosaic.
struct MosaicPart {
  std::string path;
  int column = 0;
  int row = 0;
  int width = 0;
  int height = 0;
  bool has_heights = false;
};

// Several rasters on one grid, with more pixels than fit into memory. Takes rasters row by row.
// Each of its pixels is the mean of `reduction` x `reduction` pixels of theirs, as far as these
// have heights. Where two rasters have heights, the first one counts.
class Mosaic {
 public:
  // `whole` is the grid of all rasters, in their pixels.
  Mosaic(const Georeferenced& whole, int reduction);

  // Begins a raster whose first pixel is at this column and row of the whole.
  void Begin(const std::string& path, int column, int row, int width, int height);
  // Adds a row of the raster that has begun, from the first on; NaN: no height.
  void AddRow(int row, const std::vector<double>& heights_m);
  // Ends the raster. INVALID_ARGUMENT if it differs from those before it by more than `agree_m` on
  // average where both have heights; adds a line to `notes` if it differs by over 1 cm.
  absl::Status End(double agree_m, std::vector<std::string>& notes);

  // Where its pixels are.
  const Georeferenced& place() const { return place_; }
  // Returns the rasters with their places in the mosaic's pixels.
  std::vector<MosaicPart> Parts() const;
  // Gives its heights away; NaN where no raster has one.
  survey::Grid<double> TakeHeights();

 private:
  // How the raster that has begun differs from those before it.
  struct Overlap {
    std::int64_t count = 0;
    double sum_m = 0;
    double max_m = 0;
    // The pixel of the greatest difference.
    int x = 0;
    int y = 0;
  };

  // Adds the sums of a row of pixels.
  void Flush();

  Georeferenced place_;
  int reduction_;
  // Of heights that were taken for each pixel.
  survey::Grid<double> sum_m_;
  survey::Grid<std::uint16_t> count_;
  // Their places are in pixels of the whole.
  std::vector<MosaicPart> parts_;
  Overlap overlap_;
  // The row of pixels that is being summed; -1: none.
  int y_ = -1;
  std::vector<double> row_sum_m_;
  std::vector<std::uint16_t> row_count_;
};

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
