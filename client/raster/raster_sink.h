// Files that a bake's rasters are written to.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace thalweg::raster_file {

// The numbers in a file.
enum class Sample : std::uint8_t {
  // The world's own integers, exact.
  kInt32,
  // In the layer's unit.
  kFloat32,
  // 0 at the least value of the range, 65,535 at the largest.
  kUint16,
  // 0 to 255, as they are.
  kUint8,
};

// Where the raster is on the Earth, or on a planet: its first vertex, in the units of a coordinate
// reference system that GDAL knows, east and north.
struct Georeference {
  // Empty: in none.
  std::string crs;
  double east = 0;
  double north = 0;
  // Between columns, and between rows, in these units; 0: the raster's cell in metres.
  double spacing = 0;
  bool in_degrees = false;
};

// A file's overviews: means of 2 x 2 samples, or rasters that are written to it.
enum class Overviews : std::uint8_t { kMeans, kGiven };

struct RasterDescription {
  std::string path;
  std::int64_t width = 0;
  std::int64_t height = 0;
  double cell_size_m = 1;
  // Planes of one file, side by side.
  int bands = 1;
  // The layer's name and unit, and the value of an integer in it.
  std::string layer;
  std::string unit;
  double scale = 1;
  // For kUint16, in the layer's integers.
  std::int32_t min = 0;
  std::int32_t max = 65535;
  // Absent: the raster is in the world's own plane, at its place there.
  std::optional<Georeference> place = {};
  double east_m = 0;
  double south_m = 0;
  // Of a COG. The number of given overviews, each half as large as the one before, rounded up.
  Overviews overviews = Overviews::kMeans;
  int given_overviews = 0;
  // The file's metadata.
  std::vector<std::pair<std::string, std::string>> metadata = {};
};

// Takes rectangles of a raster in any order, each vertex of each band once. The file gets its name
// in Finish, when it is complete.
class RasterSink {
 public:
  virtual ~RasterSink() = default;
  // `width` x `height` values of a band (from 0 on), rows from north to south, from a column and a
  // row on.
  virtual absl::Status Write(std::int64_t column, std::int64_t row, int width, int height,
                             std::span<const std::int32_t> values, int band) = 0;
  // The same for an overview that is given; 1 is the one of half the size. Only a COG has them.
  virtual absl::Status WriteOverview(int overview, std::int64_t column, std::int64_t row, int width,
                                     int height, std::span<const std::int32_t> values, int band) {
    (void)overview, (void)column, (void)row, (void)width, (void)height, (void)values, (void)band;
    return absl::FailedPreconditionError("write an overview: expected a COG, got another format");
  }
  virtual absl::Status Finish() = 0;
};

// A file of rows from north to south without a header: one band of kInt32 or kUint16,
// little-endian.
absl::StatusOr<std::unique_ptr<RasterSink>> OpenRaw(const RasterDescription& raster, Sample sample);

// "GTiff", "COG" or "PNG" of GDAL. INVALID_ARGUMENT for a reference system that GDAL does not know
// or a size that the format can't have; FAILED_PRECONDITION if the machine has no GDAL.
absl::StatusOr<std::unique_ptr<RasterSink>> OpenGdal(const RasterDescription& raster,
                                                     const std::string& driver, Sample sample);

// A value as 16 bits of its range.
std::uint16_t Quantised(std::int32_t value, std::int32_t min, std::int32_t max);

}  // namespace thalweg::raster_file
