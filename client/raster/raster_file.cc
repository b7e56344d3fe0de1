#include "client/raster/raster_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "client/raster/gdal.h"
#include "client/raster/quiet_errors.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::raster_file {
namespace {

// Constants of GDAL 3.
constexpr unsigned int kOpenRaster = 0x02;
constexpr unsigned int kOpenVerboseError = 0x40;
constexpr int kRead = 0;
constexpr int kFloat64 = 7;

struct Close {
  const Gdal* gdal;
  void operator()(void* dataset) const { gdal->Close(dataset); }
};
using Dataset = std::unique_ptr<void, Close>;

// Returns INVALID_ARGUMENT: "invalid raster 'a.tif': expected ..., got ...".
absl::Status RasterError(const std::string& path, const std::string& expected,
                         const std::string& got) {
  return wire::Invalid(absl::StrCat("raster '", path, "'"), expected, got);
}

absl::StatusOr<Dataset> Open(const Gdal& gdal, const std::string& path) {
  gdal.AllRegister();
  const QuietErrors errors(gdal);
  Dataset dataset(
      gdal.OpenEx(path.c_str(), kOpenRaster | kOpenVerboseError, nullptr, nullptr, nullptr),
      Close{&gdal});
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

// Finds the size and the position of the raster's pixels.
absl::Status Place(const Gdal& gdal, const std::string& path, void* dataset,
                   ElevationModel& model) {
  std::array<double, 6> transform{};
  if (gdal.GetGeoTransform(dataset, transform.data()) != 0) {
    return RasterError(path, "a position and a size of pixels",
                       "none; gdal_translate -a_ullr adds them");
  }
  if (transform[2] != 0 || transform[4] != 0) {
    return RasterError(path, "rows from west to east", "a rotated raster; gdalwarp turns it");
  }
  if (transform[1] < 0 || transform[5] > 0) {
    return RasterError(path, "rows from north to south, each from west to east",
                       "a mirrored raster; gdalwarp turns it");
  }
  void* const reference = gdal.GetSpatialRef(dataset);
  if (reference != nullptr && gdal.IsGeographic(reference) != 0) {
    return RasterError(
        path, "pixels in metres",
        "degrees; gdalwarp -t_srs EPSG:32632 (the zone of your land) -r cubic makes them metres");
  }
  double unit = 1;
  if (reference != nullptr) unit = gdal.GetLinearUnits(reference, nullptr);
  const double width = std::abs(transform[1]) * unit;
  const double height = std::abs(transform[5]) * unit;
  constexpr double kSquare = 1e-3;
  if (!(width > 0) || std::abs(width - height) > kSquare * width) {
    return RasterError(path, "square pixels",
                       absl::StrCat(width, " x ", height, " m; gdalwarp -tr makes them square"));
  }
  model.cell_size_m = width;
  model.crs = CrsOf(gdal, reference);
  model.east = transform[0] + transform[1] / 2;
  model.north = transform[3] + transform[5] / 2;
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

// A part of a grid, up to but without the column `east` and the row `south`.
struct Window {
  int west = 0;
  int north = 0;
  int east = 0;
  int south = 0;
};

// Returns how many pixels of a row or column of the window have no data.
int MissingAlong(const survey::Grid<bool>& missing, const Window& line) {
  int count = 0;
  for (int y = line.north; y < line.south; ++y) {
    for (int x = line.west; x < line.east; ++x)
      count += missing.values[missing.Index(x, y)] ? 1 : 0;
  }
  return count;
}

// Cuts off the edge with the most missing pixels until no edge has any.
Window WindowWithData(const survey::Grid<bool>& missing) {
  Window window{0, 0, missing.width, missing.height};
  while (window.west < window.east && window.north < window.south) {
    const auto [west, north, east, south] = window;
    const double width = east - west;
    const double height = south - north;
    const std::array<double, 4> shares = {
        MissingAlong(missing, {west, north, west + 1, south}) / height,
        MissingAlong(missing, {west, north, east, north + 1}) / width,
        MissingAlong(missing, {east - 1, north, east, south}) / height,
        MissingAlong(missing, {west, south - 1, east, south}) / width};
    const auto max = std::max_element(shares.begin(), shares.end());
    if (*max <= 0) break;
    const auto side = max - shares.begin();
    window.west += side == 0 ? 1 : 0;
    window.north += side == 1 ? 1 : 0;
    window.east -= side == 2 ? 1 : 0;
    window.south -= side == 3 ? 1 : 0;
  }
  return window;
}

// Cuts off edges without data, which rotated elevation models have.
absl::Status CutToData(const Gdal& gdal, const std::string& path, void* band,
                       ElevationModel& model) {
  const survey::Grid<double>& ground_m = model.ground_m;
  int has_no_data = 0;
  const double no_data = gdal.GetRasterNoDataValue(band, &has_no_data);
  survey::Grid<bool> missing{ground_m.width, ground_m.height, {}};
  for (const double value : ground_m.values) {
    missing.values.push_back(!std::isfinite(value) || (has_no_data != 0 && value == no_data));
  }
  const Window window = WindowWithData(missing);
  const int width = window.east - window.west;
  const int height = window.south - window.north;
  const int holes = MissingAlong(missing, window);
  if (holes > 0 || std::min(width, height) < kMinSide) {
    const auto count = std::count(missing.values.begin(), missing.values.end(), true);
    return RasterError(path, "data in every pixel but at the edges",
                       absl::StrCat(count, " of ", missing.values.size(),
                                    " without data; gdal_fillnodata.py fills holes"));
  }
  survey::Grid<double> cut{width, height, {}};
  for (int y = window.north; y < window.south; ++y) {
    const auto row =
        ground_m.values.begin() + static_cast<std::ptrdiff_t>(ground_m.Index(window.west, y));
    cut.values.insert(cut.values.end(), row, row + width);
  }
  model.ground_m = std::move(cut);
  model.east += window.west * model.cell_size_m;
  model.north -= window.north * model.cell_size_m;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ElevationModel> ReadElevationModel(const std::string& path) {
  THALWEG_ASSIGN_OR_RETURN(const Gdal* const gdal, Gdal::Load());
  THALWEG_ASSIGN_OR_RETURN(const Dataset dataset, Open(*gdal, path));
  const int width = gdal->GetRasterXSize(dataset.get());
  const int height = gdal->GetRasterYSize(dataset.get());
  THALWEG_RETURN_IF_ERROR(CheckSize(path, width, height));
  ElevationModel model;
  THALWEG_RETURN_IF_ERROR(Place(*gdal, path, dataset.get(), model));
  model.ground_m = survey::FilledGrid(width, height, 0.0);
  void* const band = gdal->GetRasterBand(dataset.get(), 1);
  const QuietErrors errors(*gdal);
  const int failed = gdal->RasterIO(band, kRead, 0, 0, width, height, model.ground_m.values.data(),
                                    width, height, kFloat64, 0, 0);
  if (failed != 0) return RasterError(path, "a band that can be read", errors.Last());
  THALWEG_RETURN_IF_ERROR(CutToData(*gdal, path, band, model));
  return model;
}

}  // namespace thalweg::raster_file
