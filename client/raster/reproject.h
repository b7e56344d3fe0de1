// Brings rasters to square pixels in metres on the ground.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "client/raster/gdal.h"
#include "client/survey/grid.h"

namespace thalweg::raster_file {

// Where a raster's pixels are.
struct Georeferenced {
  int width = 0;
  int height = 0;
  // GDAL's six numbers, from columns and rows to coordinates.
  std::array<double, 6> transform{};
  // The reference system of the coordinates, of GDAL; null: unknown. Not owned.
  void* reference = nullptr;
};

// What a raster is brought to.
struct Projection {
  // For PROJ; empty: the raster's own system.
  std::string crs;
  // A side of its pixels in units of the system.
  double cell = 0;
  // Why: "pixels in degrees".
  std::string reason;
};

// Returns the projection that a raster needs, or nothing where its pixels are square, from north to
// south and as long on the ground as in its system. `asked` is the user's system; without it,
// pixels in degrees, and those whose system stretches them by over 1 % (Web Mercator), go to the
// UTM zone of the raster's middle, beyond 84 degrees of latitude to a polar stereographic system.
// Others keep their system, and so do those of no place on the Earth. The pixel keeps its longer
// side on the ground. INVALID_ARGUMENT for an unknown system and for a position that it does not
// have.
absl::StatusOr<std::optional<Projection>> ProjectionFor(const Gdal& gdal, const std::string& path,
                                                        const Georeferenced& place,
                                                        const std::string& asked);

// Returns the raster in this projection, by GDAL's warper with cubic weights: a dataset in memory
// with one band, which is NaN where nothing is known.
absl::StatusOr<Dataset> Reproject(const Gdal& gdal, const std::string& path,
                                  const Georeferenced& place, const survey::Grid<double>& ground_m,
                                  const survey::Grid<bool>& missing, const Projection& projection);

}  // namespace thalweg::raster_file
