#include "client/raster/gdal_file.h"

#include "absl/strings/str_cat.h"
#include "client/raster/quiet_errors.h"
#include "proto/files/whole_file.h"

namespace thalweg::raster_file {

absl::Status CloseWritten(const Gdal& gdal, void* dataset, const std::string& path,
                          const std::string& shown) {
  const QuietErrors errors(gdal);
  gdal.Close(dataset);
  if (errors.Failed()) {
    return absl::UnknownError(absl::StrCat("write '", shown, "': ", errors.Last()));
  }
  return files::Sync(path, shown);
}

}  // namespace thalweg::raster_file
