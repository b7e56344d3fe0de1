// One file with heights, read in strips, so that it may be larger than memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/tools/raster/gdal.h"
#include "client/tools/raster/height_unit.h"
#include "client/tools/raster/missing_pixels.h"
#include "client/tools/raster/raster_file.h"
#include "client/tools/raster/raster_sink.h"
#include "client/tools/raster/reproject.h"

namespace thalweg::raster_file {

// Makes the reference system of a georeference; without one, a local system in metres. The order of
// coordinates is east, north, even if the authority has another order. The caller destroys it.
// INVALID_ARGUMENT for a system that GDAL does not know, and for an unexpected one in degrees.
absl::StatusOr<Gdal::Handle> OpenReference(const Gdal& gdal,
                                           const std::optional<Georeference>& place,
                                           const QuietErrors& errors);

// INVALID_ARGUMENT for a place that OpenReference refuses; FAILED_PRECONDITION if this machine has
// no GDAL.
absl::Status CheckPlace(const std::optional<Georeference>& place);

class RasterSource {
 public:
  // Opens a file that GDAL reads, and finds its position, the band with heights (the only one, the
  // one that is described as elevation, or the first) and their unit. INVALID_ARGUMENT, with
  // advice, for other files, pictures and files without a position.
  static absl::StatusOr<RasterSource> Open(const Gdal& gdal, const std::string& path,
                                           const ReadOptions& options);

  // A row of heights in metres, NaN where a pixel has none.
  using TakeRow = absl::FunctionRef<void(int row, const std::vector<double>& heights_m)>;
  // Reads all of the file twice: first to find which values stand for no height, then the heights,
  // row by row. Calls `progress` with the part that is done. INVALID_ARGUMENT for a file that can't
  // be read, whose band nobody chose and is constant, or with heights beyond 16 km.
  absl::Status Read(TakeRow take_row, absl::FunctionRef<void(double)> progress);

  const std::string& path() const { return path_; }
  const Georeferenced& place() const { return place_; }
  // The name of the datum of its vertical reference system; empty if it has none.
  const std::string& vertical_datum() const { return vertical_datum_; }
  // The steps that its heights were rounded to, once it was read; a step of 0: none.
  const HeightSteps& steps() const { return steps_; }
  // What is done to the file's values, each in a line for users.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  RasterSource(const Gdal& gdal, std::string path, Dataset dataset);

  absl::Status FindBand(std::optional<int> asked);
  absl::Status FindScale(const ReadOptions& options);
  // Calls `take` with the values and the mask of each row.
  absl::Status ReadRows(
      absl::FunctionRef<void(int row, const double* values, const std::uint8_t* mask)> take);

  const Gdal* gdal_;
  std::string path_;
  Dataset dataset_;
  Georeferenced place_;
  std::string vertical_datum_;
  void* band_ = nullptr;
  int number_ = 1;
  // Whether the band is one of several, and neither the user nor the file chose it.
  bool is_guessed_ = false;
  HeightScale scale_;
  HeightSteps steps_;
  std::vector<std::string> notes_;
};

}  // namespace thalweg::raster_file
