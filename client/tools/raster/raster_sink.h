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
  // 0 is the smallest value of the range, 65,535 the largest.
  kUint16,
  // 0 to 255, unchanged.
  kUint8,
};

// The place of a raster on the Earth or on a planet: its first vertex, east and north, in the units
// of a coordinate reference system that GDAL knows.
struct Georeference {
  // Empty: no system.
  std::string crs;
  double east = 0;
  double north = 0;
  // The distance between columns and between rows, in these units; 0: the raster's cell in metres.
  double spacing = 0;
  bool in_degrees = false;
};

// What a file's overviews are: means of 2 x 2 samples, or rasters that are written to it.
enum class Overviews : std::uint8_t { kMeans, kGiven };

// How the samples of a GeoTIFF or a COG are compressed; none of these changes a sample.
enum class Compression : std::uint8_t { kDeflate, kZstd, kLerc, kNone };

struct RasterDescription {
  std::string path;
  std::int64_t width = 0;
  std::int64_t height = 0;
  double cell_size_m = 1;
  // Planes in one file.
  int bands = 1;
  // The layer's name and unit, and the factor from an integer to that unit.
  std::string layer;
  std::string unit;
  double scale = 1;
  // Only for files without a header: whether the first row is the southernmost.
  bool from_south = false;
  // The range for kUint16, in the layer's integers.
  std::int32_t min = 0;
  std::int32_t max = 65535;
  // Absent: the raster lies in the world's own plane, at east_m and south_m.
  std::optional<Georeference> place = {};
  double east_m = 0;
  double south_m = 0;
  // Only for a COG. Given overviews are each half as large as the one before, rounded up.
  Overviews overviews = Overviews::kMeans;
  int given_overviews = 0;
  // Only for GeoTIFF and COG.
  Compression compression = Compression::kDeflate;
  // The file's metadata.
  std::vector<std::pair<std::string, std::string>> metadata = {};
};

// Takes rectangles of a raster in any order; each vertex of each band must come once. The file gets
// its name in Finish, when it is complete.
class RasterSink {
 public:
  virtual ~RasterSink() = default;
  // Writes `width` x `height` values to a band (from 0 on), from a column and a row on; rows from
  // north to south.
  virtual absl::Status Write(std::int64_t column, std::int64_t row, int width, int height,
                             std::span<const std::int32_t> values, int band) = 0;
  // The same for a given overview; 1 is the one with half the size. Only a COG has overviews.
  virtual absl::Status WriteOverview(int overview, std::int64_t column, std::int64_t row, int width,
                                     int height, std::span<const std::int32_t> values, int band) {
    (void)overview, (void)column, (void)row, (void)width, (void)height, (void)values, (void)band;
    return absl::FailedPreconditionError("write an overview: only a COG has overviews");
  }
  virtual absl::Status Finish() = 0;
};

// Opens a file of rows without a header: one band of kInt32 or kUint16, little-endian.
absl::StatusOr<std::unique_ptr<RasterSink>> OpenRaw(const RasterDescription& raster, Sample sample);

// Opens GDAL's "GTiff", "COG" or "PNG". INVALID_ARGUMENT for a reference system that GDAL does not
// know or a size that the format can't have; FAILED_PRECONDITION if the machine has no GDAL.
absl::StatusOr<std::unique_ptr<RasterSink>> OpenGdal(const RasterDescription& raster,
                                                     const std::string& driver, Sample sample);

// Converts a value to 16 bits of its range.
std::uint16_t Quantised(std::int32_t value, std::int32_t min, std::int32_t max);

}  // namespace thalweg::raster_file
