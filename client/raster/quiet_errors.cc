#include "client/raster/quiet_errors.h"

namespace thalweg::raster_file {

QuietErrors::QuietErrors(const Gdal& gdal) : gdal_(gdal) {
  gdal_.PushErrorHandler(gdal_.QuietErrorHandler);
  gdal_.ErrorReset();
}

QuietErrors::~QuietErrors() { gdal_.PopErrorHandler(); }

bool QuietErrors::Failed() const {
  constexpr int kFailure = 3;  // CE_Failure
  return gdal_.GetLastErrorType() >= kFailure;
}

std::string QuietErrors::Last() const { return gdal_.GetLastErrorMsg(); }

}  // namespace thalweg::raster_file
