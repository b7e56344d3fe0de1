#include "client/raster/gdal.h"

#include <dlfcn.h>

#include <string>

#include "absl/strings/str_cat.h"

namespace thalweg::raster_file {
namespace {

// Sonames of GDAL 3.1 to 3.20; Debian 12 has 32, Debian 13 has 36.
constexpr int kOldestSoname = 27;
constexpr int kNewestSoname = 46;

void* OpenLibrary() {
  for (int version = kNewestSoname; version >= kOldestSoname; --version) {
    const std::string name = absl::StrCat("libgdal.so.", version);
    if (void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

template <typename Function>
bool Find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool FindVectors(void* library, Gdal& gdal) {
  return Find(library, "GDALDatasetCreateLayer", gdal.CreateLayer) &&
         Find(library, "GDALDatasetStartTransaction", gdal.StartTransaction) &&
         Find(library, "GDALDatasetCommitTransaction", gdal.CommitTransaction) &&
         Find(library, "OGR_Fld_Create", gdal.NewField) &&
         Find(library, "OGR_Fld_Destroy", gdal.DestroyField) &&
         Find(library, "OGR_L_CreateField", gdal.AddField) &&
         Find(library, "OGR_L_GetLayerDefn", gdal.GetLayerDefinition) &&
         Find(library, "OGR_F_Create", gdal.NewFeature) &&
         Find(library, "OGR_F_Destroy", gdal.DestroyFeature) &&
         Find(library, "OGR_F_SetFID", gdal.SetFeatureId) &&
         Find(library, "OGR_F_SetFieldDouble", gdal.SetReal) &&
         Find(library, "OGR_F_SetFieldInteger64", gdal.SetInteger) &&
         Find(library, "OGR_G_CreateFromWkb", gdal.ReadWkb) &&
         Find(library, "OGR_F_SetGeometryDirectly", gdal.TakeGeometry) &&
         Find(library, "OGR_L_CreateFeature", gdal.AddFeature);
}

bool FindWarper(void* library, Gdal& gdal) {
  return Find(library, "GDALSetRasterNoDataValue", gdal.SetRasterNoDataValue) &&
         Find(library, "OCTNewCoordinateTransformation", gdal.NewCoordinateTransformation) &&
         Find(library, "OCTDestroyCoordinateTransformation",
              gdal.DestroyCoordinateTransformation) &&
         Find(library, "OCTTransform", gdal.TransformCoordinates) &&
         Find(library, "GDALWarpAppOptionsNew", gdal.NewWarpOptions) &&
         Find(library, "GDALWarpAppOptionsFree", gdal.DestroyWarpOptions) &&
         Find(library, "GDALWarp", gdal.Warp);
}

bool FindAll(void* library, Gdal& gdal) {
  return Find(library, "GDALAllRegister", gdal.AllRegister) &&
         Find(library, "GDALOpenEx", gdal.OpenEx) && Find(library, "GDALClose", gdal.Close) &&
         Find(library, "GDALGetRasterCount", gdal.GetRasterCount) &&
         Find(library, "GDALGetRasterXSize", gdal.GetRasterXSize) &&
         Find(library, "GDALGetRasterYSize", gdal.GetRasterYSize) &&
         Find(library, "GDALGetGeoTransform", gdal.GetGeoTransform) &&
         Find(library, "GDALGetSpatialRef", gdal.GetSpatialRef) &&
         Find(library, "GDALGetRasterBand", gdal.GetRasterBand) &&
         Find(library, "GDALGetDescription", gdal.GetDescription) &&
         Find(library, "GDALGetRasterColorInterpretation", gdal.GetRasterColorInterpretation) &&
         Find(library, "GDALGetRasterUnitType", gdal.GetRasterUnitType) &&
         Find(library, "GDALGetRasterScale", gdal.GetRasterScale) &&
         Find(library, "GDALGetRasterOffset", gdal.GetRasterOffset) &&
         Find(library, "GDALGetMaskBand", gdal.GetMaskBand) &&
         Find(library, "GDALFillNodata", gdal.FillNodata) &&
         Find(library, "GDALRasterIO", gdal.RasterIO) &&
         Find(library, "GDALGetDriverByName", gdal.GetDriverByName) &&
         Find(library, "GDALCreate", gdal.Create) &&
         Find(library, "GDALCreateCopy", gdal.CreateCopy) &&
         Find(library, "GDALSetGeoTransform", gdal.SetGeoTransform) &&
         Find(library, "GDALSetSpatialRef", gdal.SetSpatialRef) &&
         Find(library, "GDALSetMetadataItem", gdal.SetMetadataItem) &&
         Find(library, "GDALSetRasterUnitType", gdal.SetRasterUnitType) &&
         Find(library, "GDALSetDescription", gdal.SetDescription) &&
         Find(library, "OSRNewSpatialReference", gdal.NewSpatialReference) &&
         Find(library, "OSRSetFromUserInput", gdal.SetFromUserInput) &&
         Find(library, "OSRDestroySpatialReference", gdal.DestroySpatialReference) &&
         Find(library, "OSRClone", gdal.CloneSpatialReference) &&
         Find(library, "VSIReadDirRecursive", gdal.ReadFolder) &&
         Find(library, "CSLDestroy", gdal.DestroyList) && Find(library, "OSRIsSame", gdal.IsSame) &&
         Find(library, "OSRGetAttrValue", gdal.GetAttribute) &&
         Find(library, "OSRIsGeographic", gdal.IsGeographic) &&
         Find(library, "OSRGetLinearUnits", gdal.GetLinearUnits) &&
         Find(library, "OSRGetTargetLinearUnits", gdal.GetTargetLinearUnits) &&
         Find(library, "OSRIsVertical", gdal.IsVertical) &&
         Find(library, "GDALBuildOverviews", gdal.BuildOverviews) &&
         Find(library, "GDALGetOverview", gdal.GetOverview) &&
         Find(library, "OSRGetAuthorityName", gdal.GetAuthorityName) &&
         Find(library, "OSRGetAuthorityCode", gdal.GetAuthorityCode) &&
         Find(library, "OSRExportToWkt", gdal.ExportToWkt) && Find(library, "VSIFree", gdal.Free) &&
         Find(library, "OSRSetAxisMappingStrategy", gdal.SetAxisMappingStrategy) &&
         FindVectors(library, gdal) && FindWarper(library, gdal) &&
         Find(library, "CPLPushErrorHandler", gdal.PushErrorHandler) &&
         Find(library, "CPLPopErrorHandler", gdal.PopErrorHandler) &&
         Find(library, "CPLQuietErrorHandler", gdal.QuietErrorHandler) &&
         Find(library, "CPLGetLastErrorMsg", gdal.GetLastErrorMsg) &&
         Find(library, "CPLGetLastErrorType", gdal.GetLastErrorType) &&
         Find(library, "CPLErrorReset", gdal.ErrorReset);
}

}  // namespace

absl::StatusOr<const Gdal*> Gdal::Load() {
  static Gdal gdal{};
  static const bool found = [] {
    // The library stays open: GDAL registers objects that must live as long as the program.
    void* const library = OpenLibrary();
    return library != nullptr && FindAll(library, gdal);
  }();
  if (found) return &gdal;
  return absl::FailedPreconditionError(
      "read or write a raster: expected GDAL on this machine, got none: install it (Debian: "
      "gdal-bin)");
}

Dataset CreateInMemory(const Gdal& gdal, int width, int height, int type) {
  void* const driver = gdal.GetDriverByName("MEM");
  void* const dataset =
      driver == nullptr ? nullptr : gdal.Create(driver, "", width, height, 1, type, nullptr);
  return Dataset(dataset, CloseDataset{&gdal});
}

}  // namespace thalweg::raster_file
