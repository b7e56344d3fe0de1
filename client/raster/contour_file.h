// Contour lines in files, by GDAL's generator.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "client/raster/raster_sink.h"

namespace thalweg::raster_file {

// Zooms of a web map.
struct Zooms {
  int min = 0;
  int max = 0;
};

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

}  // namespace thalweg::raster_file
