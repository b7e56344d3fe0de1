// The list of GDAL's functions agrees with GDAL's own headers. The compiler checks it.
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <gdal_alg.h>
#include <gdal_utils.h>
#include <gtest/gtest.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

#include <type_traits>

#include "client/tools/raster/gdal.h"

namespace thalweg::raster_file {
namespace {

// Whether a caller of `Ours` passes what `Theirs` expects, or gets what it returns. Any pointer may
// be a void * in the list, and an enumeration is an int.
template <typename Ours, typename Theirs>
constexpr bool IsSameValue() {
  if constexpr (std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>) {
    using Pointee = std::remove_pointer_t<Ours>;
    using TheirPointee = std::remove_pointer_t<Theirs>;
    if constexpr (std::is_void_v<Pointee> || std::is_function_v<TheirPointee>) return true;
    return IsSameValue<std::remove_cv_t<Pointee>, std::remove_cv_t<TheirPointee>>();
  } else if constexpr (std::is_enum_v<Theirs>) {
    return std::is_same_v<Ours, int> && sizeof(Theirs) == sizeof(int);
  } else if constexpr (std::is_integral_v<Ours> && std::is_integral_v<Theirs>) {
    return sizeof(Ours) == sizeof(Theirs) && std::is_signed_v<Ours> == std::is_signed_v<Theirs>;
  } else {
    return std::is_same_v<Ours, Theirs>;
  }
}

template <typename Ours, typename... OurParameters, typename Theirs, typename... TheirParameters>
constexpr bool IsSameCall(Ours (*)(OurParameters...), Theirs (*)(TheirParameters...)) {
  if constexpr (sizeof...(OurParameters) == sizeof...(TheirParameters)) {
    return IsSameValue<Ours, Theirs>() && (IsSameValue<OurParameters, TheirParameters>() && ...);
  }
  return false;
}

#define THALWEG_GDAL_FUNCTION(name, symbol, result, parameters) \
  static_assert(IsSameCall(decltype(Gdal::name){}, &::symbol), #symbol);
#include "client/tools/raster/gdal_functions.inc"
#undef THALWEG_GDAL_FUNCTION

static_assert(Gdal::kOpenRaster == GDAL_OF_RASTER);
static_assert(Gdal::kRead == GF_Read && Gdal::kWrite == GF_Write);
static_assert(Gdal::kByte == GDT_Byte && Gdal::kFloat32 == GDT_Float32 &&
              Gdal::kFloat64 == GDT_Float64);

TEST(GdalFunctionsTest, TheComparisonFindsWrongDeclarations) {
  using Right = int (*)(void*, double);
  using TooFew = int (*)(void*);
  using Float = int (*)(void*, float);
  using NoHandle = int (*)(int, double);
  using NoResult = void (*)(void*, double);
  EXPECT_TRUE(IsSameCall(Right{}, &::GDALSetRasterNoDataValue));
  EXPECT_FALSE(IsSameCall(TooFew{}, &::GDALSetRasterNoDataValue));
  EXPECT_FALSE(IsSameCall(Float{}, &::GDALSetRasterNoDataValue));
  EXPECT_FALSE(IsSameCall(NoHandle{}, &::GDALSetRasterNoDataValue));
  EXPECT_FALSE(IsSameCall(NoResult{}, &::GDALSetRasterNoDataValue));
}

TEST(GdalFunctionsTest, TheLibraryHasAllFunctions) {
  const auto gdal = Gdal::Load();
  ASSERT_TRUE(gdal.ok()) << gdal.status();
}

}  // namespace
}  // namespace thalweg::raster_file
