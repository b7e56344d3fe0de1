// Keeps GDAL from printing its errors.
#pragma once

#include <string>

#include "client/raster/gdal.h"

namespace thalweg::raster_file {

// As long as it lives, what GDAL would print goes into an error instead.
class QuietErrors {
 public:
  explicit QuietErrors(const Gdal& gdal);
  ~QuietErrors();
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

  // What GDAL said last.
  std::string Last() const;

 private:
  const Gdal& gdal_;
};

}  // namespace thalweg::raster_file
