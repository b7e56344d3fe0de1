// Files that GDAL has written.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "client/raster/gdal.h"

namespace thalweg::raster_file {

// Closes a written dataset, and waits until its file is on the disk. GDAL writes most of a file
// when it closes it: an error then, such as a full disk, is returned with `shown` as the file's
// name.
absl::Status CloseWritten(const Gdal& gdal, void* dataset, const std::string& path,
                          const std::string& shown);

}  // namespace thalweg::raster_file
