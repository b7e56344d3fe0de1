// Errors about rasters in files.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/invalid.h"

namespace thalweg::raster_file {

// Returns INVALID_ARGUMENT: "invalid raster 'a.tif': expected ..., got ...".
inline absl::Status RasterError(const std::string& path, const std::string& expected,
                                const std::string& got) {
  return wire::Invalid(absl::StrCat("raster '", path, "'"), expected, got);
}

}  // namespace thalweg::raster_file
