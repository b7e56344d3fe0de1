#include "client/raster/gdal_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "client/raster/quiet_errors.h"

namespace thalweg::raster_file {
namespace {

absl::Status SystemError(const std::string& operation, const std::string& path) {
  return absl::ErrnoToStatus(errno, absl::StrCat(operation, " '", path, "'"));
}

// Waits until a file is on the disk. Some file systems report a full disk only then.
absl::Status Sync(const std::string& path, const std::string& shown) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return SystemError("write", shown);
  const bool synced = fsync(file) == 0;
  const absl::Status error = synced ? absl::OkStatus() : SystemError("write", shown);
  close(file);
  return error;
}

}  // namespace

absl::Status CloseWritten(const Gdal& gdal, void* dataset, const std::string& path,
                          const std::string& shown) {
  const QuietErrors errors(gdal);
  gdal.Close(dataset);
  if (errors.Failed()) {
    return absl::UnknownError(absl::StrCat("write '", shown, "': ", errors.Last()));
  }
  return Sync(path, shown);
}

absl::Status NameFinished(const std::string& path, const std::string& name) {
  if (rename(path.c_str(), name.c_str()) == 0) return absl::OkStatus();
  absl::Status error = SystemError("rename", path);
  unlink(path.c_str());
  return error;
}

}  // namespace thalweg::raster_file
