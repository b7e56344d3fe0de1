// Files of lines and polygons with attributes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/raster/raster_sink.h"

namespace thalweg::raster_file {

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
