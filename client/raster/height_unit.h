// The units of heights in rasters.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/raster/gdal.h"

namespace thalweg::raster_file {

struct HeightUnit {
  // In the plural: "US survey feet".
  std::string name;
  double metres = 1;
  // Who says so: "the band's unit".
  std::string source;
};

// Returns the unit that files write in this way, such as "m", "Meters", "ft" or "US survey foot",
// without a source; nothing for other words.
std::optional<HeightUnit> HeightUnitNamed(std::string_view text);

// Returns the unit of a band's heights: the band's own; else that of the vertical part of its
// reference system; else feet where the system's lengths are feet; else metres. `reference` may be
// null. INVALID_ARGUMENT if the band has another unit than these.
absl::StatusOr<HeightUnit> HeightUnitOf(const Gdal& gdal, const std::string& path, void* band,
                                        void* reference);

}  // namespace thalweg::raster_file
