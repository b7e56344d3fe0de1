// Coordinate reference systems of files.
#pragma once

#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/raster/gdal.h"
#include "client/raster/quiet_errors.h"
#include "client/raster/raster_sink.h"

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

}  // namespace thalweg::raster_file
