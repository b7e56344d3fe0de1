// Keeps GDAL from printing its errors.
#pragma once

#include <string>

#include "client/raster/gdal.h"

namespace thalweg::raster_file {

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

}  // namespace thalweg::raster_file
