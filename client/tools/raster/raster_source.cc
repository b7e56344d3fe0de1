#include "client/tools/raster/raster_source.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::raster_file {
namespace {

// Constants of GDAL 3.
constexpr unsigned int kOpenVerboseError = 0x40;
constexpr int kRedBand = 3;

// Beyond all land of planets like the Earth and Mars but for the highest volcano.
constexpr double kHighestM = 16'000;

// Whether the words are those of a band with heights.
bool IsOfElevation(absl::string_view description) {
  const std::string text = absl::AsciiStrToLower(description);
  constexpr std::array<const char*, 8> kWords = {"elev", "height", "altitude", "dem",
                                                 "dtm",  "dsm",    "bathy",    "topo"};
  return std::ranges::any_of(kWords,
                             [&text](const char* word) { return absl::StrContains(text, word); });
}

}  // namespace

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

RasterSource::RasterSource(const Gdal& gdal, std::string path, Dataset dataset)
    : gdal_(&gdal), path_(std::move(path)), dataset_(std::move(dataset)) {}

absl::StatusOr<RasterSource> RasterSource::Open(const Gdal& gdal, const std::string& path,
                                                const ReadOptions& options) {
  gdal.AllRegister();
  const QuietErrors errors(gdal);
  RasterSource source(gdal, path,
                      Dataset(gdal.OpenEx(path.c_str(), Gdal::kOpenRaster | kOpenVerboseError,
                                          nullptr, nullptr, nullptr),
                              CloseDataset{&gdal}));
  void* const dataset = source.dataset_.get();
  if (dataset == nullptr || gdal.GetRasterCount(dataset) < 1) {
    const std::string reason = errors.Last();
    return RasterError(path, "a file with a band that GDAL reads",
                       reason.empty() ? "a file without bands" : reason);
  }
  THALWEG_ASSIGN_OR_RETURN(source.place_, PlaceOf(gdal, path, dataset));
  if (const char* const datum =
          source.place_.reference == nullptr
              ? nullptr
              : gdal.GetAttribute(source.place_.reference.get(), "VERT_DATUM", 0)) {
    source.vertical_datum_ = datum;
  }
  THALWEG_RETURN_IF_ERROR(source.FindBand(options.band));
  THALWEG_RETURN_IF_ERROR(source.FindScale(options));
  return source;
}

absl::Status RasterSource::FindBand(std::optional<int> asked) {
  const int bands = gdal_->GetRasterCount(dataset_.get());
  const auto band = [this](int number) { return gdal_->GetRasterBand(dataset_.get(), number); };
  if (asked && *asked > bands) {
    return RasterError(path_,
                       absl::StrCat("--band ", bands == 1 ? "1" : absl::StrCat("1 to ", bands)),
                       std::to_string(*asked));
  }
  number_ = asked.value_or(1);
  if (!asked && bands > 1) {
    while (number_ <= bands && !IsOfElevation(gdal_->GetDescription(band(number_)))) ++number_;
    if (number_ > bands) {
      number_ = 1;
      is_guessed_ = true;
      if (gdal_->GetRasterColorInterpretation(band(1)) == kRedBand) {
        return RasterError(
            path_, "heights",
            absl::StrCat("a picture of ", bands, " bands; --band chooses one that has heights"));
      }
    }
    notes_.push_back(absl::StrCat("heights are those of band ", number_, " of ", bands));
  }
  band_ = band(number_);
  return absl::OkStatus();
}

absl::Status RasterSource::FindScale(const ReadOptions& options) {
  int is_set = 0;
  if (const double factor = gdal_->GetRasterScale(band_, &is_set); is_set != 0) {
    scale_.scale = factor;
  }
  if (const double offset = gdal_->GetRasterOffset(band_, &is_set); is_set != 0) {
    scale_.offset = offset;
  }
  if (!(std::abs(scale_.scale) > 0) || !std::isfinite(scale_.scale + scale_.offset)) {
    return RasterError(path_, "a scale and an offset of its values",
                       absl::StrCat(scale_.scale, " and ", scale_.offset));
  }
  if (scale_.scale != 1 || scale_.offset != 0) {
    notes_.push_back(absl::StrCat("heights are values * ", scale_.scale, " + ", scale_.offset,
                                  ", as the band says"));
  }
  double metres = 1;
  if (options.height_unit_m) {
    metres = *options.height_unit_m;
  } else {
    THALWEG_ASSIGN_OR_RETURN(const HeightUnit unit,
                             HeightUnitOf(*gdal_, path_, band_, place_.reference.get()));
    metres = unit.metres;
    if (metres != 1) {
      notes_.push_back(absl::StrCat("heights in ", unit.name, " became metres (by ", unit.source,
                                    "; --height-unit m leaves them)"));
    }
  }
  scale_.scale *= metres;
  scale_.offset *= metres;
  return absl::OkStatus();
}

absl::Status RasterSource::ReadRows(
    absl::FunctionRef<void(int row, const double* values, const std::uint8_t* mask)> take) {
  // Many files have tiles of up to this height, which are decoded whole.
  constexpr int kMostRows = 256;
  constexpr int kStripPixels = 1 << 24;
  const int width = place_.width;
  const int strip_rows = std::clamp(kStripPixels / width, 1, kMostRows);
  const auto row_size = static_cast<std::size_t>(width);
  std::vector<double> values(row_size * static_cast<std::size_t>(strip_rows));
  std::vector<std::uint8_t> mask(values.size());
  const QuietErrors errors(*gdal_);
  void* const mask_band = gdal_->GetMaskBand(band_);
  const auto read = [&](void* band, int y, int rows, void* to, int type) {
    return gdal_->RasterIO(band, Gdal::kRead, 0, y, width, rows, to, width, rows, type, 0, 0) == 0;
  };
  for (int y = 0; y < place_.height; y += strip_rows) {
    const int rows = std::min(strip_rows, place_.height - y);
    if (!read(band_, y, rows, values.data(), Gdal::kFloat64)) {
      return RasterError(path_, "a band that can be read", errors.Last());
    }
    if (!read(mask_band, y, rows, mask.data(), Gdal::kByte)) {
      return RasterError(path_, "a mask that can be read", errors.Last());
    }
    for (int n = 0; n < rows; ++n) {
      const std::size_t first = row_size * static_cast<std::size_t>(n);
      take(y + n, values.data() + first, mask.data() + first);
    }
  }
  return absl::OkStatus();
}

absl::Status RasterSource::Read(TakeRow take_row, absl::FunctionRef<void(double)> progress) {
  const double passes = 2.0 * place_.height;
  UndeclaredValues seen;
  StepFinder finder;
  THALWEG_RETURN_IF_ERROR(ReadRows([&](int row, const double* values, const std::uint8_t* mask) {
    for (int x = 0; x < place_.width; ++x) {
      if (!HasNumber(values[x], mask[x])) continue;
      seen.See(values[x]);
      finder.See(values[x]);
    }
    progress(row / passes);
  }));
  const auto nothing = seen.Found(scale_.scale);
  auto [lowest, highest] = seen.Range(nothing);
  if (is_guessed_ && lowest == highest) {
    return absl::InvalidArgumentError(absl::StrCat(
        "raster '", path_, "': band ", number_, " is ", lowest,
        " in every pixel; --band chooses one of ", gdal_->GetRasterCount(dataset_.get())));
  }
  if (lowest <= highest) {
    lowest = lowest * scale_.scale + scale_.offset;
    highest = highest * scale_.scale + scale_.offset;
    if (lowest > highest) std::swap(lowest, highest);
    if (lowest < -kHighestM || highest > kHighestM) {
      return RasterError(path_, "heights of -16000 to 16000 m",
                         absl::StrCat(lowest, " to ", highest,
                                      " m; --height-unit says what they are in, and "
                                      "gdal_translate -a_nodata says which value means no data"));
    }
  }
  for (const UndeclaredValues::Sentinel& sentinel : nothing) {
    notes_.push_back(
        absl::StrCat("pixels of ", sentinel.value, ": ", sentinel.count,
                     " count as missing, since all other heights are far from this value"));
  }
  steps_ = {finder.Step().value_or(0) * std::abs(scale_.scale), scale_.offset};
  std::vector<double> heights_m(static_cast<std::size_t>(place_.width));
  return ReadRows([&](int row, const double* values, const std::uint8_t* mask) {
    for (std::size_t x = 0; x < heights_m.size(); ++x) {
      const bool is_height = HasNumber(values[x], mask[x]) &&
                             std::ranges::find(nothing, values[x],
                                               &UndeclaredValues::Sentinel::value) == nothing.end();
      heights_m[x] = is_height ? values[x] * scale_.scale + scale_.offset
                               : std::numeric_limits<double>::quiet_NaN();
    }
    take_row(row, heights_m);
    progress((place_.height + row) / passes);
  });
}

}  // namespace thalweg::raster_file
