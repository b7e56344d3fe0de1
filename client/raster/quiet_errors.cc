#include "client/raster/quiet_errors.h"

namespace thalweg::raster_file {

QuietErrors::QuietErrors(const Gdal& gdal) : gdal_(gdal) {
  gdal_.PushErrorHandler(gdal_.QuietErrorHandler);
}

QuietErrors::~QuietErrors() { gdal_.PopErrorHandler(); }

std::string QuietErrors::Last() const { return gdal_.GetLastErrorMsg(); }

}  // namespace thalweg::raster_file
