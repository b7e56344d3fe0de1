// Files of lines and polygons with attributes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/tools/raster/raster_sink.h"

namespace thalweg::raster_file {

// Zooms of a web map.
struct Zooms {
  int min = 0;
  int max = 0;
};

// A file of contour lines, which GDAL's generator finds.
struct ContourDescription {
  std::string path;
  // The map's name, for vector tiles.
  std::string name;
  // The difference between neighbouring lines.
  double interval_m = 0;
  // The first vertex and the distance of vertices, in the file's reference system; absent: in the
  // plane of a world, east and north.
  std::optional<Georeference> place = {};
  double east = 0;
  double north = 0;
  double spacing = 1;
  // Absent: GeoJSON, in degrees (RFC 7946) if the place is known. Otherwise vector tiles of a web
  // map (MBTiles), whose layer is called contours, over a place in EPSG:3857.
  std::optional<Zooms> tiles = {};
};

// The finest zoom that GDAL's vector tiles have.
inline constexpr int kMaxContourZoom = 22;

// FAILED_PRECONDITION if the machine has no GDAL that writes vector tiles.
absl::Status CheckContourTiles();

// Writes the contours of width x height heights in 1/65,536 m, rows from north to south. Each line
// has its height as height_m. FAILED_PRECONDITION if the machine has no GDAL, and GDAL's errors.
absl::Status WriteContours(const ContourDescription& description,
                           std::span<const std::int32_t> heights, int width, int height);

struct FeaturePoint {
  double east = 0;
  double north = 0;
  // Used only by lines.
  double up = 0;
};

enum class FeatureShape : std::uint8_t {
  // With heights.
  kLine,
  // Without heights. Rings are closed.
  kPolygon,
};

// monostate means null. Integers and reals must match the field's type.
using FeatureValue = std::variant<std::monostate, std::int64_t, double>;

struct FeatureField {
  std::string name;
  bool is_integer = false;
};

struct FeatureLayer {
  std::string name;
  FeatureShape shape = FeatureShape::kLine;
  std::vector<FeatureField> fields;
};

struct Feature {
  // 1 or more.
  std::int64_t id = 1;
  // A line has one path; a polygon has its outer ring and its holes.
  std::vector<std::vector<FeaturePoint>> paths;
  // In the order of the layer's fields.
  std::vector<FeatureValue> values;
};

// A GeoPackage (OGC 12-128). It gets its name in Finish, when it is complete.
class FeatureFile {
 public:
  virtual ~FeatureFile() = default;
  // Adds a feature to a layer, which is given by its index.
  virtual absl::Status Add(std::size_t layer, const Feature& feature) = 0;
  virtual absl::Status Finish() = 0;
};

struct FeatureFileDescription {
  std::string path;
  std::vector<FeatureLayer> layers;
  std::optional<Georeference> place = {};
  std::vector<std::pair<std::string, std::string>> metadata = {};
};

// Opens a GeoPackage. INVALID_ARGUMENT for a reference system that GDAL does not know;
// FAILED_PRECONDITION if this machine has no GDAL.
absl::StatusOr<std::unique_ptr<FeatureFile>> OpenGeoPackage(
    const FeatureFileDescription& description);

}  // namespace thalweg::raster_file
