#include "client/raster/merged_files.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/raster/quiet_errors.h"
#include "client/raster/raster_error.h"
#include "proto/wire/status_macros.h"

namespace thalweg::raster_file {
namespace {

namespace fs = std::filesystem;

// Two rasters in one place may differ by this on average, or by a part of a pixel where they were
// brought to a common grid.
constexpr double kAgreeM = 1;
constexpr double kAgreeCells = 1.0 / 20;

struct Header {
  std::string path;
  Georeferenced place;
  std::string vertical_datum;
  // In pixels of the grid of all rasters.
  std::int64_t column = 0;
  std::int64_t row = 0;
};

bool IsDataset(const Gdal& gdal, const std::string& path) {
  constexpr unsigned int kOpenRaster = 0x02;
  const QuietErrors errors(gdal);
  const Dataset dataset(gdal.OpenEx(path.c_str(), kOpenRaster, nullptr, nullptr, nullptr),
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

absl::StatusOr<std::vector<Header>> HeadersOf(const Gdal& gdal,
                                              const std::vector<std::string>& files,
                                              const HeaderOptions& options) {
  std::vector<Header> headers;
  for (const std::string& file : files) {
    THALWEG_ASSIGN_OR_RETURN(const RasterSource source, RasterSource::Open(gdal, file, options));
    headers.push_back({file, source.place(), source.vertical_datum()});
    if (headers.back().vertical_datum.empty()) continue;
    const auto other = std::ranges::find_if(
        headers, [](const std::string& datum) { return !datum.empty(); }, &Header::vertical_datum);
    if (other->vertical_datum == headers.back().vertical_datum) continue;
    return RasterError(
        file, absl::StrFormat("the vertical datum of '%s', %s", other->path, other->vertical_datum),
        absl::StrFormat("%s; gdalwarp -t_srs brings heights to another datum",
                        headers.back().vertical_datum));
  }
  return headers;
}

// Finds each raster's first pixel on the grid of the first raster. False if they are not on it.
bool FindPixels(const Gdal& gdal, std::vector<Header>& headers) {
  constexpr double kNear = 0.02;
  constexpr double kTurn = 360;
  const Georeferenced& grid = headers.front().place;
  const auto& t = grid.transform;
  const double determinant = t[1] * t[5] - t[2] * t[4];
  if (!(std::abs(determinant) > 0)) return headers.size() == 1;
  const bool is_round = grid.reference != nullptr && gdal.IsGeographic(grid.reference.get()) != 0;
  for (Header& header : headers) {
    Georeferenced& place = header.place;
    const bool is_known = grid.reference != nullptr;
    if (is_known != (place.reference != nullptr)) return false;
    if (is_known && gdal.IsSame(grid.reference.get(), place.reference.get()) == 0) return false;
    auto& other = place.transform;
    if (is_round) other[0] -= kTurn * std::round((other[0] - t[0]) / kTurn);
    const double most =
        kNear * std::sqrt(std::abs(determinant)) / std::max(place.width, place.height);
    for (const std::size_t n : {1U, 2U, 4U, 5U}) {
      if (std::abs(other.at(n) - t.at(n)) > most) return false;
    }
    const double east = other[0] - t[0];
    const double north = other[3] - t[3];
    const double column = (east * t[5] - north * t[2]) / determinant;
    const double row = (t[1] * north - t[4] * east) / determinant;
    if (std::hypot(column - std::round(column), row - std::round(row)) > kNear) return false;
    header.column = std::llround(column);
    header.row = std::llround(row);
  }
  return true;
}

// What files told when they were read.
struct Told {
  // Notes, and the files that have them.
  std::map<std::string, std::vector<std::string>> said;
  // The largest ones.
  HeightSteps steps;
};

// Reads a file into a mosaic, from this column and row of its grid on. Adds what it told.
absl::Status ReadInto(const Gdal& gdal, const Header& header, int column, int row, double agree_m,
                      const HeaderOptions& options, absl::FunctionRef<void(double)> progress,
                      Mosaic& mosaic, Told& told) {
  THALWEG_ASSIGN_OR_RETURN(RasterSource source, RasterSource::Open(gdal, header.path, options));
  mosaic.Begin(header.path, column, row, header.place.width, header.place.height);
  THALWEG_RETURN_IF_ERROR(source.Read(
      [&mosaic](int y, const std::vector<double>& heights_m) { mosaic.Take(y, heights_m); },
      progress));
  for (const std::string& note : source.notes()) told.said[note].push_back(header.path);
  if (source.steps().step_m > told.steps.step_m) told.steps = source.steps();
  std::vector<std::string> differences;
  THALWEG_RETURN_IF_ERROR(mosaic.End(agree_m, differences));
  for (const std::string& note : differences) told.said[note];
  return absl::OkStatus();
}

// Returns what was said about files, once for all of them.
std::vector<std::string> NotesOf(const Told& told, std::size_t files) {
  std::vector<std::string> notes;
  for (const auto& [note, paths] : told.said) {
    const bool names_one = files > 1 && paths.size() == 1;
    const bool names_some = files > 1 && paths.size() > 1 && paths.size() < files;
    notes.push_back(names_one    ? absl::StrCat(paths.front(), ": ", note)
                    : names_some ? absl::StrCat(paths.size(), " files: ", note)
                                 : note);
  }
  return notes;
}

// Reads rasters that share a grid.
absl::StatusOr<MergedFiles> MergeOnGrid(const Gdal& gdal, const std::vector<Header>& headers,
                                        const HeaderOptions& options,
                                        const std::function<void(double)>& progress) {
  MergedFiles merged;
  const auto least = [&](auto place) { return std::ranges::min(headers, {}, place).*place; };
  const std::int64_t west = least(&Header::column);
  const std::int64_t north = least(&Header::row);
  std::int64_t width = 0;
  std::int64_t height = 0;
  double pixels = 0;
  for (const Header& header : headers) {
    width = std::max(width, header.column - west + header.place.width);
    height = std::max(height, header.row - north + header.place.height);
    pixels += 1.0 * header.place.width * header.place.height;
  }
  const std::int64_t reduction = (std::max(width, height) + kMaxSide - 1) / kMaxSide;
  merged.name = headers.size() == 1 ? headers.front().path : absl::StrCat(headers.size(), " files");
  if (reduction > kMaxReduction) {
    return RasterError(
        merged.name, absl::StrCat("max ", kMaxReduction * kMaxSide, " pixels on each side"),
        absl::StrCat(width, " x ", height, "; gdal_translate -srcwin cuts out a part"));
  }
  Georeferenced whole = headers.front().place;
  auto& t = whole.transform;
  const auto x = static_cast<double>(west);
  const auto y = static_cast<double>(north);
  t[0] += t[1] * x + t[2] * y;
  t[3] += t[4] * x + t[5] * y;
  whole.width = static_cast<int>(width);
  whole.height = static_cast<int>(height);
  Mosaic mosaic(whole, static_cast<int>(reduction));
  Told told;
  double done = 0;
  for (const Header& header : headers) {
    const double share = 1.0 * header.place.width * header.place.height / pixels;
    THALWEG_RETURN_IF_ERROR(ReadInto(
        gdal, header, static_cast<int>(header.column - west), static_cast<int>(header.row - north),
        kAgreeM, options, [&](double part) { progress(done + part * share); }, mosaic, told));
    done += share;
  }
  merged.place = mosaic.place();
  merged.parts = mosaic.Parts();
  merged.heights_m = mosaic.TakeHeights();
  merged.notes = NotesOf(told, headers.size());
  merged.steps = told.steps;
  if (headers.size() > 1) {
    merged.notes.push_back(
        absl::StrFormat("%d rasters became one of %d x %d pixels", headers.size(), width, height));
  }
  if (reduction > 1) {
    merged.notes.push_back(absl::StrFormat(
        "%d x %d pixels became %d x %d, each the mean of %d x %d: a world has max %d on a side",
        width, height, merged.place.width, merged.place.height, reduction, reduction, kMaxSide));
  }
  return merged;
}

// A grid in a system, from north to south.
struct Target {
  std::string crs;
  double cell = 0;
  // A corner of a pixel.
  double x = 0;
  double y = 0;

  // The bounds of pixels that cover these, and one more on each side.
  Bounds Around(const Bounds& bounds) const {
    const auto down = [this](double from, double to) {
      return from + (std::floor((to - from) / cell) - 1) * cell;
    };
    const auto up = [this](double from, double to) {
      return from + (std::ceil((to - from) / cell) + 1) * cell;
    };
    return {down(x, bounds.west), down(y, bounds.south), up(x, bounds.east), up(y, bounds.north)};
  }
};

// A raster beside others that are on another grid.
struct Projected {
  Header header;
  // A side of its pixels in the target's system.
  double cell = 0;
  Bounds bounds = {};
};

// Brings rasters to the system that the first one needs.
absl::StatusOr<MergedFiles> MergeProjected(const Gdal& gdal, const std::vector<Header>& headers,
                                           const HeaderOptions& options, const std::string& crs,
                                           const std::function<void(double)>& progress) {
  MergedFiles merged;
  merged.name = absl::StrCat(headers.size(), " files");
  merged.is_projected = true;
  for (const Header& header : headers) {
    if (header.place.reference != nullptr) continue;
    return RasterError(header.path,
                       absl::StrFormat("pixels on the grid of '%s', or a reference system "
                                       "(gdal_edit.py -a_srs sets it)",
                                       headers.front().path),
                       "neither");
  }
  const Georeferenced& first = headers.front().place;
  Target target{crs};
  if (crs.empty()) {
    THALWEG_ASSIGN_OR_RETURN(const auto needed,
                             ProjectionFor(gdal, headers.front().path, first, ""));
    target.crs = needed ? needed->crs : "";
    if (!needed) std::tie(target.x, target.y) = std::pair(first.transform[0], first.transform[3]);
  }
  if (target.crs.empty()) target.crs = TextOf(gdal, first.reference.get());
  std::vector<Projected> parts;
  Bounds all;
  for (const Header& header : headers) {
    Projected part{header};
    THALWEG_ASSIGN_OR_RETURN(const auto projection,
                             ProjectionFor(gdal, header.path, header.place, target.crs));
    part.cell = projection->cell;
    THALWEG_ASSIGN_OR_RETURN(part.bounds, BoundsIn(gdal, header.path, header.place, target.crs));
    const Bounds& b = part.bounds;
    all = parts.empty() ? b
                        : Bounds{std::min(all.west, b.west), std::min(all.south, b.south),
                                 std::max(all.east, b.east), std::max(all.north, b.north)};
    parts.push_back(std::move(part));
  }
  std::ranges::stable_sort(parts, {}, &Projected::cell);
  target.cell = parts.front().cell * Coarsening(all.Side(), parts.front().cell);
  all = target.Around(all);
  const auto pixels = [&target](double length) {
    return static_cast<int>(std::lround(length / target.cell));
  };
  Georeferenced whole{pixels(all.east - all.west),
                      pixels(all.north - all.south),
                      {all.west, target.cell, 0, all.north, 0, -target.cell},
                      nullptr};
  Mosaic mosaic(whole, 1);
  Told told;
  double done = 0;
  for (const Projected& part : parts) {
    const Header& header = part.header;
    const int reduction = std::clamp(static_cast<int>(target.cell / part.cell), 1, kMaxReduction);
    Mosaic alone(header.place, reduction);
    const auto share = 1.0 / static_cast<double>(parts.size());
    THALWEG_RETURN_IF_ERROR(ReadInto(
        gdal, header, 0, 0, kAgreeM, options, [&](double read) { progress(done + read * share); },
        alone, told));
    done += share;
    const Bounds bounds = target.Around(part.bounds);
    THALWEG_ASSIGN_OR_RETURN(const Dataset dataset,
                             Reproject(gdal, header.path, alone.place(), alone.TakeHeights(),
                                       {target.crs, target.cell, ""}, bounds));
    THALWEG_ASSIGN_OR_RETURN(whole, PlaceOf(gdal, header.path, dataset.get()));
    THALWEG_ASSIGN_OR_RETURN(const survey::Grid<double> heights_m,
                             ValuesOf(gdal, header.path, dataset.get()));
    mosaic.Begin(header.path, pixels(bounds.west - all.west), pixels(all.north - bounds.north),
                 heights_m.width, heights_m.height);
    for (int y = 0; y < heights_m.height; ++y) {
      const auto row =
          heights_m.values.begin() + static_cast<std::ptrdiff_t>(heights_m.Index(0, y));
      mosaic.Take(y, {row, row + heights_m.width});
    }
    std::vector<std::string> differences;
    THALWEG_RETURN_IF_ERROR(mosaic.End(std::max(kAgreeM, kAgreeCells * target.cell), differences));
    for (const std::string& note : differences) told.said[note];
  }
  merged.place = mosaic.place();
  merged.parts = mosaic.Parts();
  merged.place.reference = whole.reference;
  merged.heights_m = mosaic.TakeHeights();
  merged.notes = NotesOf(told, headers.size());
  merged.steps = told.steps;
  merged.notes.push_back(
      absl::StrFormat("%d rasters on different grids became one of pixels of %g in %s (cubic)",
                      headers.size(), target.cell, target.crs));
  return merged;
}

}  // namespace

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
      return RasterError(path, "rasters inside",
                         absl::StrCat(entries.size(), " entries, none of which GDAL reads"));
    }
  }
  return files;
}

absl::StatusOr<MergedFiles> MergeFiles(const Gdal& gdal, const std::vector<std::string>& files,
                                       const HeaderOptions& options, const std::string& crs,
                                       const std::function<void(double)>& progress) {
  THALWEG_ASSIGN_OR_RETURN(std::vector<Header> headers, HeadersOf(gdal, files, options));
  return FindPixels(gdal, headers) ? MergeOnGrid(gdal, headers, options, progress)
                                   : MergeProjected(gdal, headers, options, crs, progress);
}

}  // namespace thalweg::raster_file
