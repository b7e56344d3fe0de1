// GDAL's C interface, loaded from the machine's library. GDAL is not linked, because it needs a
// hundred other libraries and most users don't use it.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"

namespace thalweg::raster_file {

// GDAL's own names and types (gdal.h, gdal_alg.h, gdal_utils.h, ogr_srs_api.h, cpl_error.h of GDAL
// 3), which stay the same within the major version.
struct Gdal {
  using Handle = void*;
  static constexpr unsigned int kOpenRaster = 0x02;
  static constexpr int kRead = 0;
  static constexpr int kWrite = 1;
  static constexpr int kByte = 1;
  static constexpr int kFloat32 = 6;
  static constexpr int kFloat64 = 7;

  void (*AllRegister)();
  Handle (*OpenEx)(const char* path, unsigned int flags, const char* const* drivers,
                   const char* const* options, const char* const* siblings);
  void (*Close)(Handle dataset);
  int (*GetRasterCount)(Handle dataset);
  int (*GetRasterXSize)(Handle dataset);
  int (*GetRasterYSize)(Handle dataset);
  int (*GetGeoTransform)(Handle dataset, double* six);
  Handle (*GetSpatialRef)(Handle dataset);
  Handle (*GetRasterBand)(Handle dataset, int band);
  const char* (*GetDescription)(Handle object);
  int (*GetRasterColorInterpretation)(Handle band);
  const char* (*GetRasterUnitType)(Handle band);
  double (*GetRasterScale)(Handle band, int* has_value);
  double (*GetRasterOffset)(Handle band, int* has_value);
  Handle (*GetMaskBand)(Handle band);
  int (*SetRasterNoDataValue)(Handle band, double value);
  int (*FillNodata)(Handle band, Handle mask, double max_distance, int deprecated, int smoothings,
                    const char* const* options, void* progress, void* progress_data);
  int (*RasterIO)(Handle band, int write, int x, int y, int width, int height, void* values,
                  int values_width, int values_height, int type, int pixel_space, int line_space);
  Handle (*GetDriverByName)(const char* name);
  Handle (*Create)(Handle driver, const char* path, int width, int height, int bands, int type,
                   const char* const* options);
  Handle (*CreateCopy)(Handle driver, const char* path, Handle source, int strict,
                       const char* const* options, void* progress, void* progress_data);
  int (*BuildOverviews)(Handle dataset, const char* resampling, int overviews, const int* factors,
                        int bands, const int* band_list, void* progress, void* progress_data);
  Handle (*GetOverview)(Handle band, int overview);
  int (*SetGeoTransform)(Handle dataset, const double* six);
  int (*SetSpatialRef)(Handle dataset, Handle reference);
  int (*SetMetadataItem)(Handle object, const char* name, const char* value, const char* domain);
  int (*SetRasterUnitType)(Handle band, const char* unit);
  void (*SetDescription)(Handle object, const char* text);
  Handle (*NewSpatialReference)(const char* wkt);
  int (*SetFromUserInput)(Handle reference, const char* text);
  void (*DestroySpatialReference)(Handle reference);
  Handle (*CloneSpatialReference)(Handle reference);
  // Names of all files below a folder, also of "/vsizip/a.zip/" (cpl_vsi.h).
  char** (*ReadFolder)(const char* path);
  void (*DestroyList)(char** names);
  int (*IsSame)(Handle reference, Handle other);
  const char* (*GetAttribute)(Handle reference, const char* node, int child);
  int (*IsGeographic)(Handle reference);
  Handle (*NewCoordinateTransformation)(Handle from, Handle to);
  void (*DestroyCoordinateTransformation)(Handle transformation);
  int (*TransformCoordinates)(Handle transformation, int count, double* x, double* y, double* z);
  // gdalwarp (gdal_utils.h).
  Handle (*NewWarpOptions)(char** arguments, void* for_binary);
  void (*DestroyWarpOptions)(Handle options);
  Handle (*Warp)(const char* path, Handle target, int count, Handle* sources, Handle options,
                 int* wrong_usage);
  void (*SetAxisMappingStrategy)(Handle reference, int strategy);
  // Vectors (ogr_api.h).
  Handle (*CreateLayer)(Handle dataset, const char* name, Handle reference, int geometry,
                        const char* const* options);
  int (*StartTransaction)(Handle dataset, int force);
  int (*CommitTransaction)(Handle dataset);
  Handle (*NewField)(const char* name, int type);
  void (*DestroyField)(Handle field);
  int (*AddField)(Handle layer, Handle field, int approximate);
  Handle (*GetLayerDefinition)(Handle layer);
  Handle (*NewFeature)(Handle definition);
  void (*DestroyFeature)(Handle feature);
  int (*SetFeatureId)(Handle feature, std::int64_t id);
  void (*SetReal)(Handle feature, int field, double value);
  void (*SetInteger)(Handle feature, int field, std::int64_t value);
  int (*ReadWkb)(const void* wkb, Handle reference, Handle* geometry, int bytes);
  int (*TakeGeometry)(Handle feature, Handle geometry);
  int (*AddFeature)(Handle layer, Handle feature);
  double (*GetLinearUnits)(Handle reference, char** name);
  double (*GetTargetLinearUnits)(Handle reference, const char* node, char** name);
  int (*IsVertical)(Handle reference);
  const char* (*GetAuthorityName)(Handle reference, const char* node);
  const char* (*GetAuthorityCode)(Handle reference, const char* node);
  int (*ExportToWkt)(Handle reference, char** text);
  void (*Free)(void* text);
  void (*PushErrorHandler)(void (*handler)(int, int, const char*));
  void (*PopErrorHandler)();
  void (*QuietErrorHandler)(int, int, const char*);
  const char* (*GetLastErrorMsg)();
  int (*GetLastErrorType)();
  void (*ErrorReset)();

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

}  // namespace thalweg::raster_file
