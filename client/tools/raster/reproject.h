// Brings rasters to square pixels in metres on the ground.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "client/tools/raster/gdal.h"
#include "client/tools/survey/grid.h"

namespace thalweg::raster_file {

// Max pixels on a side of a raster in memory.
inline constexpr int kMaxSide = 8192;

// Where a raster's pixels are.
struct Georeferenced {
  int width = 0;
  int height = 0;
  // GDAL's six numbers, from columns and rows to coordinates.
  std::array<double, 6> transform{};
  // The reference system of the coordinates, of GDAL; null: unknown.
  std::shared_ptr<void> reference = nullptr;
};

// Returns where a dataset's pixels are. INVALID_ARGUMENT if it doesn't say it.
absl::StatusOr<Georeferenced> PlaceOf(const Gdal& gdal, const std::string& path, void* dataset);

// Returns a system as "EPSG:32611", or as WKT in one line; empty for null.
std::string TextOf(const Gdal& gdal, void* reference);

// What a raster is brought to.
struct Projection {
  // For PROJ; empty: the raster's own system.
  std::string crs;
  // A side of its pixels in units of the system.
  double cell = 0;
  // Why: "pixels in degrees".
  std::string reason;
};

// A rectangle in a system's coordinates.
struct Bounds {
  double west = 0;
  double south = 0;
  double east = 0;
  double north = 0;

  double Side() const { return std::max(east - west, north - south); }
};

// Returns bounds of a raster in a system, such as "EPSG:32632". INVALID_ARGUMENT if it has no place
// there.
absl::StatusOr<Bounds> BoundsIn(const Gdal& gdal, const std::string& path,
                                const Georeferenced& place, const std::string& crs);

// By how much pixels become larger so that a side of this length has max kMaxSide of them.
double Coarsening(double side, double cell);

// Returns the projection that a raster needs, or nothing where its pixels are square, from north to
// south and as long on the ground as in its system. `asked` is the user's system; without it,
// pixels in degrees, and those whose system stretches them by over 1 % (Web Mercator), go to the
// UTM zone of the raster's middle, beyond 84 degrees of latitude to a polar stereographic system.
// Others keep their system, and so do those of no place on the Earth. The pixel keeps its longer
// side on the ground, unless more than kMaxSide of them would be on a side. INVALID_ARGUMENT for an
// unknown system and for a position that it does not have.
absl::StatusOr<std::optional<Projection>> ProjectionFor(const Gdal& gdal, const std::string& path,
                                                        const Georeferenced& place,
                                                        const std::string& asked);

// Returns the raster in this projection, within these bounds if there are any, by GDAL's warper
// with cubic weights: a dataset in memory with one band, which is NaN where nothing is known.
absl::StatusOr<Dataset> Reproject(const Gdal& gdal, const std::string& path,
                                  const Georeferenced& place, const survey::Grid<double>& ground_m,
                                  const Projection& projection,
                                  const std::optional<Bounds>& bounds = std::nullopt);

// Returns a dataset's only band.
absl::StatusOr<survey::Grid<double>> ValuesOf(const Gdal& gdal, const std::string& path,
                                              void* dataset);

}  // namespace thalweg::raster_file
