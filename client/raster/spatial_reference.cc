#include "client/raster/spatial_reference.h"

#include <string>

#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::raster_file {

absl::StatusOr<Gdal::Handle> OpenReference(const Gdal& gdal,
                                           const std::optional<Georeference>& place,
                                           const QuietErrors& errors) {
  constexpr int kEastThenNorth = 0;
  const std::string crs =
      place ? place->crs : "LOCAL_CS[\"Plane of a Thalweg world\",UNIT[\"metre\",1]]";
  void* const reference = gdal.NewSpatialReference(nullptr);
  const bool known = gdal.SetFromUserInput(reference, crs.c_str()) == 0;
  const bool in_degrees = known && gdal.IsGeographic(reference) != 0;
  if (known && in_degrees == (place && place->in_degrees)) {
    gdal.SetAxisMappingStrategy(reference, kEastThenNorth);
    return reference;
  }
  gdal.DestroySpatialReference(reference);
  if (in_degrees) {
    return wire::Invalid("--crs", "one in metres, such as EPSG:32632",
                         absl::StrCat(crs, ", which is in degrees"));
  }
  return wire::Invalid("--crs", "one that GDAL knows, such as EPSG:32632",
                       absl::StrCat(crs, " (", errors.Last(), ")"));
}

absl::Status CheckPlace(const std::optional<Georeference>& place) {
  THALWEG_ASSIGN_OR_RETURN(const Gdal* const gdal, Gdal::Load());
  gdal->AllRegister();
  const QuietErrors errors(*gdal);
  THALWEG_ASSIGN_OR_RETURN(void* const reference, OpenReference(*gdal, place, errors));
  gdal->DestroySpatialReference(reference);
  return absl::OkStatus();
}

}  // namespace thalweg::raster_file
