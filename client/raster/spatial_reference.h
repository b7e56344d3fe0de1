// Coordinate reference systems of files.
#pragma once

#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/raster/gdal.h"
#include "client/raster/quiet_errors.h"
#include "client/raster/raster_sink.h"

namespace thalweg::raster_file {

// That of a place on the Earth, or one of the plane of a world alone, in metres; coordinates are
// east and north, whatever its authority says. To be destroyed by the caller. INVALID_ARGUMENT for
// one that GDAL does not know or that is in degrees without the place saying so.
absl::StatusOr<Gdal::Handle> OpenReference(const Gdal& gdal,
                                           const std::optional<Georeference>& place,
                                           const QuietErrors& errors);

// INVALID_ARGUMENT for a place that OpenReference refuses; FAILED_PRECONDITION where the machine
// has no GDAL to ask.
absl::Status CheckPlace(const Georeference& place);

}  // namespace thalweg::raster_file
