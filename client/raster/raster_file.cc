#include "client/raster/raster_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "client/raster/gdal.h"
#include "client/raster/height_unit.h"
#include "client/raster/missing_pixels.h"
#include "client/raster/quiet_errors.h"
#include "client/raster/raster_error.h"
#include "client/raster/reproject.h"
#include "proto/wire/status_macros.h"

namespace thalweg::raster_file {
namespace {

// Constants of GDAL 3.
constexpr unsigned int kOpenRaster = 0x02;
constexpr unsigned int kOpenVerboseError = 0x40;
constexpr int kRedBand = 3;

// Beyond all land of planets like the Earth and Mars but for the highest volcano.
constexpr double kHighestM = 16'000;

absl::StatusOr<Dataset> Open(const Gdal& gdal, const std::string& path) {
  gdal.AllRegister();
  const QuietErrors errors(gdal);
  Dataset dataset(
      gdal.OpenEx(path.c_str(), kOpenRaster | kOpenVerboseError, nullptr, nullptr, nullptr),
      CloseDataset{&gdal});
  if (dataset != nullptr && gdal.GetRasterCount(dataset.get()) > 0) return dataset;
  const std::string reason = errors.Last();
  return RasterError(path, "a file with a band that GDAL reads",
                     reason.empty() ? "a file without bands" : reason);
}

// Returns a system as "EPSG:32611", or as WKT in one line; empty unless it is in metres.
std::string CrsOf(const Gdal& gdal, void* reference) {
  if (reference == nullptr || gdal.GetLinearUnits(reference, nullptr) != 1) return "";
  const char* const authority = gdal.GetAuthorityName(reference, nullptr);
  const char* const code = gdal.GetAuthorityCode(reference, nullptr);
  if (authority != nullptr && code != nullptr) return absl::StrCat(authority, ":", code);
  char* wkt = nullptr;
  const bool has_failed = gdal.ExportToWkt(reference, &wkt) != 0 || wkt == nullptr;
  std::string text = has_failed ? "" : wkt;
  gdal.Free(wkt);
  return text;
}

absl::StatusOr<Georeferenced> PlaceOf(const Gdal& gdal, const std::string& path, void* dataset) {
  Georeferenced place{gdal.GetRasterXSize(dataset), gdal.GetRasterYSize(dataset), {}, nullptr};
  if (gdal.GetGeoTransform(dataset, place.transform.data()) != 0) {
    return RasterError(path, "a position and a size of pixels",
                       "none; gdal_translate -a_ullr adds them");
  }
  place.reference = gdal.GetSpatialRef(dataset);
  return place;
}

// Finds the size and the position of pixels that need no projection, or have no system for one.
absl::Status Locate(const Gdal& gdal, const std::string& path, const Georeferenced& place,
                    ElevationModel& model) {
  const std::array<double, 6>& transform = place.transform;
  constexpr char kNoSystem[] = ", without a reference system; gdal_edit.py -a_srs sets it";
  if (transform[2] != 0 || transform[4] != 0) {
    return RasterError(path, "rows from west to east", absl::StrCat("a rotated raster", kNoSystem));
  }
  const double unit =
      place.reference == nullptr ? 1 : gdal.GetLinearUnits(place.reference, nullptr);
  const double width = std::abs(transform[1]) * unit;
  const double height = std::abs(transform[5]) * unit;
  constexpr double kSquare = 1e-3;
  if (!(width > 0) || std::abs(width - height) > kSquare * width) {
    return RasterError(path, "square pixels", absl::StrCat(width, " x ", height, " m", kNoSystem));
  }
  if (width < kMinCellM || width > kMaxCellM) {
    return RasterError(path, "pixels of 0.01 to 4096 m",
                       absl::StrCat("pixels of ", width, " m; gdalwarp -tr makes others"));
  }
  model.cell_size_m = width;
  model.crs = CrsOf(gdal, place.reference);
  model.east = transform[0] + transform[1] * (transform[1] < 0 ? place.width - 0.5 : 0.5);
  model.north = transform[3] + transform[5] * (transform[5] > 0 ? place.height - 0.5 : 0.5);
  return absl::OkStatus();
}

absl::Status CheckSize(const std::string& path, int width, int height) {
  if (std::min(width, height) >= kMinSide && std::max(width, height) <= kMaxSide) {
    return absl::OkStatus();
  }
  return RasterError(path, absl::StrCat(kMinSide, " to ", kMaxSide, " pixels on each side"),
                     absl::StrCat(width, " x ", height,
                                  width > kMaxSide || height > kMaxSide
                                      ? "; gdal_translate cuts out a part (-srcwin), or makes it "
                                        "coarser (-outsize)"
                                      : ""));
}

// Whether the words are those of a band with heights.
bool IsOfElevation(absl::string_view description) {
  const std::string text = absl::AsciiStrToLower(description);
  constexpr std::array<const char*, 8> kWords = {"elev", "height", "altitude", "dem",
                                                 "dtm",  "dsm",    "bathy",    "topo"};
  return std::ranges::any_of(kWords,
                             [&text](const char* word) { return absl::StrContains(text, word); });
}

// Returns the number of the band with heights.
absl::StatusOr<int> BandOf(const Gdal& gdal, const std::string& path, void* dataset,
                           std::optional<int> asked) {
  const int bands = gdal.GetRasterCount(dataset);
  if (asked && *asked <= bands) return *asked;
  if (asked) {
    return RasterError(path,
                       absl::StrCat("--band ", bands == 1 ? "1" : absl::StrCat("1 to ", bands)),
                       std::to_string(*asked));
  }
  if (bands == 1) return 1;
  for (int band = 1; band <= bands; ++band) {
    if (IsOfElevation(gdal.GetDescription(gdal.GetRasterBand(dataset, band)))) return band;
  }
  if (gdal.GetRasterColorInterpretation(gdal.GetRasterBand(dataset, 1)) == kRedBand) {
    return RasterError(
        path, "heights",
        absl::StrCat("a picture of ", bands, " bands; --band chooses one that has heights"));
  }
  return 1;
}

// How the band's values become metres.
absl::StatusOr<HeightScale> ScaleOf(const Gdal& gdal, const std::string& path, void* band,
                                    void* reference, const ReadOptions& options,
                                    std::vector<std::string>& notes) {
  int is_set = 0;
  HeightScale scale;
  if (const double factor = gdal.GetRasterScale(band, &is_set); is_set != 0) scale.scale = factor;
  if (const double offset = gdal.GetRasterOffset(band, &is_set); is_set != 0) scale.offset = offset;
  if (!(std::abs(scale.scale) > 0) || !std::isfinite(scale.scale + scale.offset)) {
    return RasterError(path, "a scale and an offset of its values",
                       absl::StrCat(scale.scale, " and ", scale.offset));
  }
  if (scale.scale != 1 || scale.offset != 0) {
    notes.push_back(absl::StrCat("heights are values * ", scale.scale, " + ", scale.offset,
                                 ", as the band says"));
  }
  double metres = 1;
  if (options.height_unit_m) {
    metres = *options.height_unit_m;
  } else {
    THALWEG_ASSIGN_OR_RETURN(const HeightUnit unit, HeightUnitOf(gdal, path, band, reference));
    metres = unit.metres;
    if (metres != 1) {
      notes.push_back(absl::StrCat("heights in ", unit.name, " became metres (by ", unit.source,
                                   "; --height-unit m leaves them)"));
    }
  }
  scale.scale *= metres;
  scale.offset *= metres;
  return scale;
}

// Turns the band's values into heights in metres, except the missing ones.
absl::Status MakeMetres(const std::string& path, const HeightScale& scale,
                        const survey::Grid<bool>& missing, survey::Grid<double>& ground_m) {
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -lowest;
  for (std::size_t i = 0; i < ground_m.values.size(); ++i) {
    if (missing.values[i]) continue;
    double& value = ground_m.values[i];
    value = value * scale.scale + scale.offset;
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
  }
  if (lowest > highest || (lowest >= -kHighestM && highest <= kHighestM)) return absl::OkStatus();
  return RasterError(path, "heights of -16000 to 16000 m",
                     absl::StrCat(lowest, " to ", highest,
                                  " m; --height-unit says what they are in, and gdal_translate "
                                  "-a_nodata says which value is "
                                  "none"));
}

// Cuts off edges without data, which rotated elevation models have, and fills small holes.
absl::Status LeaveNoneMissing(const Gdal& gdal, const std::string& path, NoData no_data,
                              survey::Grid<bool>& missing, ElevationModel& model) {
  const Window window = no_data == NoData::kHole ? Window{0, 0, missing.width, missing.height}
                                                 : WindowWithData(missing);
  const int width = window.east - window.west;
  const int height = window.south - window.north;
  if (std::min(width, height) < kMinSide) {
    const auto count = std::count(missing.values.begin(), missing.values.end(), true);
    return RasterError(path, "a rectangle of 64 x 64 pixels with heights all along its sides",
                       absl::StrCat(count, " of ", missing.values.size(), " pixels without data"));
  }
  if (width < missing.width || height < missing.height) {
    model.notes.push_back(
        absl::StrCat("cut to ", width, " x ", height, " of ", missing.width, " x ", missing.height,
                     " pixels: the edges have no data",
                     no_data == NoData::kFind ? "; --no-data sea takes them for sea" : ""));
  }
  survey::Grid<double> ground_m{width, height, {}};
  survey::Grid<bool> holes{width, height, {}};
  for (int y = window.north; y < window.south; ++y) {
    for (int x = window.west; x < window.east; ++x) {
      ground_m.values.push_back(model.ground_m.At(x, y));
      holes.values.push_back(missing.values[missing.Index(x, y)]);
    }
  }
  const auto are_missing = std::count(holes.values.begin(), holes.values.end(), true);
  if (are_missing > 0) THALWEG_RETURN_IF_ERROR(FillHoles(gdal, path, holes, ground_m));
  const auto first = std::find(holes.values.begin(), holes.values.end(), true);
  model.ground_m = std::move(ground_m);
  model.east += window.west * model.cell_size_m;
  model.north -= window.north * model.cell_size_m;
  if (first != holes.values.end()) {
    const auto index = first - holes.values.begin();
    return RasterError(
        path, absl::StrCat("holes of max ", 2 * kFillPixels, " pixels across"),
        absl::StrCat("a larger one around column ", index % width + window.west, ", row ",
                     index / width + window.north, "; gdal_fillnodata.py -md fills it"));
  }
  if (are_missing > 0) {
    model.notes.push_back(absl::StrCat(are_missing, " missing pixels inside were filled"));
  }
  return absl::OkStatus();
}

// Puts the north-west pixel first.
void Turn(const Georeferenced& place, survey::Grid<double>& values, survey::Grid<bool>& missing) {
  const bool is_south_up = place.transform[5] > 0;
  const bool is_mirrored = place.transform[1] < 0;
  const auto turn = [&](auto& grid) {
    const auto row = [&grid](int y) {
      return grid.values.begin() + static_cast<std::ptrdiff_t>(grid.Index(0, y));
    };
    for (int y = 0; is_south_up && y < grid.height / 2; ++y) {
      std::swap_ranges(row(y), row(y) + grid.width, row(grid.height - 1 - y));
    }
    for (int y = 0; is_mirrored && y < grid.height; ++y) {
      std::reverse(row(y), row(y) + grid.width);
    }
  };
  turn(values);
  turn(missing);
}

absl::StatusOr<survey::Grid<double>> ValuesOf(const Gdal& gdal, const std::string& path, void* band,
                                              int width, int height) {
  survey::Grid<double> values = survey::FilledGrid(width, height, 0.0);
  const QuietErrors errors(gdal);
  const int failed = gdal.RasterIO(band, Gdal::kRead, 0, 0, width, height, values.values.data(),
                                   width, height, Gdal::kFloat64, 0, 0);
  if (failed != 0) return RasterError(path, "a band that can be read", errors.Last());
  return values;
}

// Brings the raster to the projection that it needs, if any.
absl::Status Project(const Gdal& gdal, const std::string& path, const std::string& crs,
                     Dataset& dataset, Georeferenced& place, survey::Grid<bool>& missing,
                     ElevationModel& model) {
  THALWEG_ASSIGN_OR_RETURN(const auto projection, ProjectionFor(gdal, path, place, crs));
  if (!projection) return absl::OkStatus();
  THALWEG_ASSIGN_OR_RETURN(dataset,
                           Reproject(gdal, path, place, model.ground_m, missing, *projection));
  THALWEG_ASSIGN_OR_RETURN(place, PlaceOf(gdal, path, dataset.get()));
  THALWEG_RETURN_IF_ERROR(CheckSize(path, place.width, place.height));
  THALWEG_ASSIGN_OR_RETURN(
      model.ground_m,
      ValuesOf(gdal, path, gdal.GetRasterBand(dataset.get(), 1), place.width, place.height));
  missing = {place.width, place.height, {}};
  for (const double value : model.ground_m.values) missing.values.push_back(!std::isfinite(value));
  model.notes.push_back(absl::StrCat(
      projection->reason, " became pixels of ", projection->cell,
      projection->crs.empty() ? " in its own system" : absl::StrCat(" m in ", projection->crs),
      " (cubic)"));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ElevationModel> ReadElevationModel(const std::string& path,
                                                  const ReadOptions& options) {
  THALWEG_ASSIGN_OR_RETURN(const Gdal* const gdal, Gdal::Load());
  THALWEG_ASSIGN_OR_RETURN(Dataset dataset, Open(*gdal, path));
  THALWEG_ASSIGN_OR_RETURN(Georeferenced place, PlaceOf(*gdal, path, dataset.get()));
  THALWEG_RETURN_IF_ERROR(CheckSize(path, place.width, place.height));
  ElevationModel model;
  THALWEG_ASSIGN_OR_RETURN(const int number, BandOf(*gdal, path, dataset.get(), options.band));
  void* const band = gdal->GetRasterBand(dataset.get(), number);
  THALWEG_ASSIGN_OR_RETURN(const HeightScale scale,
                           ScaleOf(*gdal, path, band, place.reference, options, model.notes));
  THALWEG_ASSIGN_OR_RETURN(model.ground_m, ValuesOf(*gdal, path, band, place.width, place.height));
  const std::vector<double>& values = model.ground_m.values;
  if (const int bands = gdal->GetRasterCount(dataset.get()); bands > 1 && !options.band) {
    if (std::ranges::count(values, values.front()) == std::ssize(values)) {
      return RasterError(
          path, absl::StrCat("--band, 1 to ", bands),
          absl::StrCat("none, and band ", number, " is ", values.front(), " in every pixel"));
    }
    model.notes.push_back(absl::StrCat("heights are those of band ", number, " of ", bands));
  }
  THALWEG_ASSIGN_OR_RETURN(auto missing,
                           MissingPixels(*gdal, path, band, model.ground_m, scale, model.notes));
  THALWEG_RETURN_IF_ERROR(MakeMetres(path, scale, missing, model.ground_m));
  FillSea(options.no_data, options.sea_level_m, missing, model.ground_m, model.notes);
  THALWEG_RETURN_IF_ERROR(Project(*gdal, path, options.crs, dataset, place, missing, model));
  THALWEG_RETURN_IF_ERROR(Locate(*gdal, path, place, model));
  Turn(place, model.ground_m, missing);
  THALWEG_RETURN_IF_ERROR(LeaveNoneMissing(*gdal, path, options.no_data, missing, model));
  return model;
}

}  // namespace thalweg::raster_file
