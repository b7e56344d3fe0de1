#include "client/tools/raster/raster_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/tools/raster/gdal.h"
#include "client/tools/raster/merged_files.h"
#include "client/tools/raster/missing_pixels.h"
#include "client/tools/raster/reproject.h"
#include "proto/wire/status_macros.h"

namespace thalweg::raster_file {
namespace {

// Which rasters the paths that users give mean.

namespace fs = std::filesystem;

bool IsDataset(const Gdal& gdal, const std::string& path) {
  const QuietErrors errors(gdal);
  const Dataset dataset(gdal.OpenEx(path.c_str(), Gdal::kOpenRaster, nullptr, nullptr, nullptr),
                        CloseDataset{&gdal});
  return dataset != nullptr;
}

// Files beside a raster that GDAL would read as rasters: overviews, masks, and lists of rasters.
bool IsCompanion(const fs::path& path) {
  constexpr std::array kEndings = {".ovr", ".msk", ".vrt"};
  return std::ranges::find(kEndings, path.extension().string()) != kEndings.end();
}

std::vector<std::string> FolderEntries(const std::string& folder) {
  std::vector<std::string> entries;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->is_regular_file(error)) entries.push_back(entry->path().string());
  }
  std::ranges::sort(entries);
  return entries;
}

// Returns the names under which GDAL reads the entries of a zip archive.
std::vector<std::string> ZipEntries(const Gdal& gdal, const std::string& path) {
  const std::string folder = absl::StrCat("/vsizip/", path, "/");
  std::vector<std::string> entries;
  const QuietErrors errors(gdal);
  char** const names = gdal.ReadFolder(folder.c_str());
  for (char** name = names; name != nullptr && *name != nullptr; ++name) {
    if (!absl::EndsWith(*name, "/")) entries.push_back(absl::StrCat(folder, *name));
  }
  gdal.DestroyList(names);
  std::ranges::sort(entries);
  return entries;
}

// Returns the rasters that these paths mean: a folder or a zip archive means those in it that GDAL
// reads, by name. INVALID_ARGUMENT for one without any.
absl::StatusOr<std::vector<std::string>> RasterFilesOf(const Gdal& gdal,
                                                       const std::vector<std::string>& paths) {
  gdal.AllRegister();
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    const bool is_zip = fs::path(path).extension() == ".zip" && fs::is_regular_file(path, error);
    // Some formats keep a raster in a folder or in an archive.
    if ((!is_zip && !fs::is_directory(path, error)) || IsDataset(gdal, path)) {
      files.push_back(path);
      continue;
    }
    const std::size_t before = files.size();
    const std::vector<std::string> entries = is_zip ? ZipEntries(gdal, path) : FolderEntries(path);
    for (const std::string& entry : entries) {
      if (!IsCompanion(entry) && IsDataset(gdal, entry)) files.push_back(entry);
    }
    if (files.size() == before) {
      return absl::InvalidArgumentError(absl::StrCat(
          "'", path, "' has no raster: GDAL reads none of its ", entries.size(), " entries"));
    }
  }
  return files;
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
      place.reference == nullptr ? 1 : gdal.GetLinearUnits(place.reference.get(), nullptr);
  const double width = std::abs(transform[1]) * unit;
  const double height = std::abs(transform[5]) * unit;
  constexpr double kSquare = 1e-3;
  if (!(width > 0) || std::abs(width - height) > kSquare * width) {
    return RasterError(path, "square pixels", absl::StrCat(width, " x ", height, " m", kNoSystem));
  }
  if (width < kMinCellM || width > kMaxCellM) {
    return RasterError(path, "pixels of 0.01 to 4096 m",
                       absl::StrCat("pixels of ", width, " m; gdalwarp -tr changes their size"));
  }
  model.cell_size_m = width;
  if (unit == 1) model.crs = TextOf(gdal, place.reference.get());
  model.east = transform[0] + transform[1] * (transform[1] < 0 ? place.width - 0.5 : 0.5);
  model.north = transform[3] + transform[5] * (transform[5] > 0 ? place.height - 0.5 : 0.5);
  return absl::OkStatus();
}

absl::Status CheckSize(const std::string& path, int width, int height) {
  if (std::min(width, height) >= kMinSide) return absl::OkStatus();
  return RasterError(path, absl::StrCat(kMinSide, " pixels or more on each side"),
                     absl::StrCat(width, " x ", height));
}

survey::Grid<bool> MissingOf(const survey::Grid<double>& heights_m) {
  survey::Grid<bool> missing{heights_m.width, heights_m.height, {}};
  missing.values.reserve(heights_m.values.size());
  for (const double value : heights_m.values) missing.values.push_back(!std::isfinite(value));
  return missing;
}

// Leaves this part of a grid.
template <typename Value>
void Cut(const Window& window, survey::Grid<Value>& grid) {
  auto to = grid.values.begin();
  for (int y = window.north; y < window.south; ++y) {
    const auto row = grid.values.begin() + static_cast<std::ptrdiff_t>(grid.Index(0, y));
    to = std::copy(row + window.west, row + window.east, to);
  }
  grid.values.erase(to, grid.values.end());
  grid.width = window.east - window.west;
  grid.height = window.south - window.north;
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
                     no_data == NoData::kFind ? "; --no-data sea makes them sea" : ""));
  }
  Cut(window, model.ground_m);
  Cut(window, missing);
  const std::vector<bool>& holes = missing.values;
  const auto are_missing = std::count(holes.begin(), holes.end(), true);
  if (are_missing > 0) THALWEG_RETURN_IF_ERROR(FillHoles(gdal, path, missing, model.ground_m));
  const auto first = std::find(holes.begin(), holes.end(), true);
  model.east += window.west * model.cell_size_m;
  model.north -= window.north * model.cell_size_m;
  if (first != holes.end()) {
    const auto index = first - holes.begin();
    return RasterError(
        path, absl::StrCat("holes of max ", 2 * kFillPixels, " pixels across"),
        absl::StrCat("a larger one around column ", index % width + window.west, ", row ",
                     index / width + window.north, "; gdal_fillnodata.py -md fills it"));
  }
  if (are_missing > 0) {
    model.notes.push_back(absl::StrCat("missing pixels inside: ", are_missing, ", filled"));
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

// Finds a raster of several whose heights all lie outside the rectangle that has heights all along
// its sides, so that it would be left out.
absl::Status CheckAllCount(const MergedFiles& merged, NoData no_data,
                           const survey::Grid<bool>& missing) {
  if (merged.parts.size() < 2 || no_data == NoData::kHole) return absl::OkStatus();
  const Window window = WindowWithData(missing);
  const auto outside = std::ranges::find_if(merged.parts, [&window](const MosaicPart& part) {
    const bool touches = part.column < window.east && part.column + part.width > window.west &&
                         part.row < window.south && part.row + part.height > window.north;
    return part.has_heights && !touches;
  });
  if (outside == merged.parts.end()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("raster '", outside->path,
                   "': there is a gap between its heights and those of the other files; --no-data "
                   "sea makes it sea"));
}

// Brings the raster to the projection that it needs, if any.
absl::Status Project(const Gdal& gdal, const std::string& path, const std::string& crs,
                     Georeferenced& place, survey::Grid<bool>& missing, ElevationModel& model) {
  THALWEG_ASSIGN_OR_RETURN(const auto projection, ProjectionFor(gdal, path, place, crs));
  if (!projection) return absl::OkStatus();
  THALWEG_ASSIGN_OR_RETURN(const Dataset dataset,
                           Reproject(gdal, path, place, model.ground_m, *projection));
  THALWEG_ASSIGN_OR_RETURN(place, PlaceOf(gdal, path, dataset.get()));
  THALWEG_RETURN_IF_ERROR(CheckSize(path, place.width, place.height));
  THALWEG_ASSIGN_OR_RETURN(model.ground_m, ValuesOf(gdal, path, dataset.get()));
  missing = MissingOf(model.ground_m);
  model.notes.push_back(absl::StrCat(
      projection->reason, " became pixels of ", projection->cell,
      projection->crs.empty() ? " in its own system" : absl::StrCat(" m in ", projection->crs),
      " (cubic)"));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ElevationModel> ReadElevationModel(const std::vector<std::string>& paths,
                                                  const ReadOptions& options) {
  THALWEG_ASSIGN_OR_RETURN(const Gdal* const gdal, Gdal::Load());
  THALWEG_ASSIGN_OR_RETURN(const std::vector<std::string> files, RasterFilesOf(*gdal, paths));
  THALWEG_ASSIGN_OR_RETURN(MergedFiles merged, MergeFiles(*gdal, files, options));
  THALWEG_RETURN_IF_ERROR(CheckSize(merged.name, merged.place.width, merged.place.height));
  ElevationModel model;
  model.ground_m = std::move(merged.heights_m);
  model.notes = std::move(merged.notes);
  survey::Grid<bool> missing = MissingOf(model.ground_m);
  FillSea(options.no_data, options.sea_level_m, missing, model.ground_m, model.notes);
  THALWEG_RETURN_IF_ERROR(CheckAllCount(merged, options.no_data, missing));
  if (!merged.is_projected) {
    THALWEG_RETURN_IF_ERROR(Project(*gdal, merged.name, options.crs, merged.place, missing, model));
  }
  THALWEG_RETURN_IF_ERROR(Locate(*gdal, merged.name, merged.place, model));
  Turn(merged.place, model.ground_m, missing);
  THALWEG_RETURN_IF_ERROR(LeaveNoneMissing(*gdal, merged.name, options.no_data, missing, model));
  return model;
}

}  // namespace thalweg::raster_file
