// GDAL's C interface, loaded from the machine's library. GDAL is not linked, because it needs a
// hundred other libraries and most users don't use it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/invalid.h"

namespace thalweg::raster_file {

// GDAL's functions and numbers, which stay the same within the major version 3.
struct Gdal {
  using Handle = void*;
  static constexpr unsigned int kOpenRaster = 0x02;
  static constexpr int kRead = 0;
  static constexpr int kWrite = 1;
  static constexpr int kByte = 1;
  static constexpr int kFloat32 = 6;
  static constexpr int kFloat64 = 7;

  // The members AllRegister, OpenEx, ...: see gdal_functions.inc.
#define THALWEG_GDAL_FUNCTION(name, symbol, result, parameters) result(*name) parameters;
#include "client/tools/raster/gdal_functions.inc"
#undef THALWEG_GDAL_FUNCTION

  // Loads GDAL. FAILED_PRECONDITION if this machine has no GDAL 3.
  static absl::StatusOr<const Gdal*> Load();
};

struct CloseDataset {
  const Gdal* gdal;
  void operator()(Gdal::Handle dataset) const { gdal->Close(dataset); }
};
// A dataset that is closed at the end, whatever GDAL says then: for reading.
using Dataset = std::unique_ptr<void, CloseDataset>;

// Returns a raster of one band in memory; null if GDAL can't make it.
Dataset CreateInMemory(const Gdal& gdal, int width, int height, int type);

// Closes a written dataset, and waits until its file is on the disk. GDAL writes most of a file
// when it closes it: an error then, such as a full disk, is returned with `shown` as the file's
// name.
absl::Status CloseWritten(const Gdal& gdal, void* dataset, const std::string& path,
                          const std::string& shown);

// While it exists, GDAL prints no errors; it knows those since it was made.
class QuietErrors {
 public:
  explicit QuietErrors(const Gdal& gdal);
  ~QuietErrors();
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

  // Whether the last error is one, not a warning.
  bool Failed() const;
  // Returns GDAL's last error.
  std::string Last() const;

 private:
  const Gdal& gdal_;
};

// Returns INVALID_ARGUMENT: "invalid raster 'a.tif': expected ..., got ...".
inline absl::Status RasterError(const std::string& path, const std::string& expected,
                                const std::string& got) {
  return wire::Invalid(absl::StrCat("raster '", path, "'"), expected, got);
}

}  // namespace thalweg::raster_file
