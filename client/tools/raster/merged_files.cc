#include "client/tools/raster/merged_files.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/tools/raster/height_unit.h"
#include "client/tools/raster/raster_source.h"
#include "proto/wire/status_macros.h"

namespace thalweg::raster_file {
namespace {

int Divided(int pixels, int reduction) { return (pixels + reduction - 1) / reduction; }

Georeferenced Reduced(const Georeferenced& whole, int reduction) {
  Georeferenced place = whole;
  place.width = Divided(whole.width, reduction);
  place.height = Divided(whole.height, reduction);
  for (const std::size_t n : {1U, 2U, 4U, 5U}) place.transform.at(n) *= reduction;
  return place;
}

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

  double Pixels() const { return 1.0 * place.width * place.height; }
};

absl::StatusOr<std::vector<Header>> HeadersOf(const Gdal& gdal,
                                              const std::vector<std::string>& files,
                                              const ReadOptions& options) {
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
  // The largest steps that heights of a file were rounded to.
  HeightSteps steps;

  void Say(const std::vector<std::string>& notes) {
    for (const std::string& note : notes) said[note];
  }

  // Returns what was said about so many files, once for all of them.
  std::vector<std::string> Notes(std::size_t files) const {
    std::vector<std::string> notes;
    for (const auto& [note, paths] : said) {
      const bool names_one = files > 1 && paths.size() == 1;
      const bool names_some = files > 1 && paths.size() > 1 && paths.size() < files;
      notes.push_back(names_one    ? absl::StrCat(paths.front(), ": ", note)
                      : names_some ? absl::StrCat(paths.size(), " files: ", note)
                                   : note);
    }
    return notes;
  }
};

// Reads a file into a mosaic, from this column and row of its grid on. `progress` is called with
// the part of the file that was read.
absl::Status ReadInto(const Gdal& gdal, const Header& header, int column, int row,
                      const ReadOptions& options, absl::FunctionRef<void(double)> progress,
                      Mosaic& mosaic, Told& told) {
  THALWEG_ASSIGN_OR_RETURN(RasterSource source, RasterSource::Open(gdal, header.path, options));
  mosaic.Begin(header.path, column, row, header.place.width, header.place.height);
  THALWEG_RETURN_IF_ERROR(source.Read(
      [&mosaic](int y, const std::vector<double>& heights_m) { mosaic.AddRow(y, heights_m); },
      progress));
  for (const std::string& note : source.notes()) told.said[note].push_back(header.path);
  if (source.steps().step_m > told.steps.step_m) told.steps = source.steps();
  std::vector<std::string> differences;
  THALWEG_RETURN_IF_ERROR(mosaic.End(kAgreeM, differences));
  told.Say(differences);
  return absl::OkStatus();
}

// Turns terraces into slopes if heights were rounded. Returns the note that says it; or "".
std::string SmoothTerraces(const ReadOptions& options, HeightSteps steps,
                           survey::Grid<double>& heights_m) {
  if (options.step_m) steps = {*options.step_m, 0};
  if (steps.step_m <= 0) return "";
  const auto changed = static_cast<double>(SmoothSteps(steps, options.sea_level_m, heights_m));
  if (changed == 0) return "";
  return absl::StrFormat(
      "heights are in steps of %g m: terraces of %.1f %% of the pixels became slopes, within half "
      "a step; --step 0 leaves them",
      steps.step_m, 100 * changed / static_cast<double>(heights_m.values.size()));
}

// Returns the grid of all rasters, whose pixels are as large as theirs. Counts their columns and
// rows from its north-west on.
absl::StatusOr<Georeferenced> WholeOf(const std::string& name, std::vector<Header>& headers) {
  const std::int64_t west = std::ranges::min(headers, {}, &Header::column).column;
  const std::int64_t north = std::ranges::min(headers, {}, &Header::row).row;
  std::int64_t width = 0;
  std::int64_t height = 0;
  for (Header& header : headers) {
    header.column -= west;
    header.row -= north;
    width = std::max(width, header.column + header.place.width);
    height = std::max(height, header.row + header.place.height);
  }
  constexpr int kMost = kMaxReduction * kMaxSide;
  if (std::max(width, height) > kMost) {
    return RasterError(
        name, absl::StrCat("max ", kMost, " pixels on each side"),
        absl::StrCat(width, " x ", height, "; gdal_translate -srcwin cuts out a part"));
  }
  Georeferenced whole = headers.front().place;
  auto& t = whole.transform;
  const auto x = static_cast<double>(-headers.front().column);
  const auto y = static_cast<double>(-headers.front().row);
  t[0] += t[1] * x + t[2] * y;
  t[3] += t[4] * x + t[5] * y;
  whole.width = static_cast<int>(width);
  whole.height = static_cast<int>(height);
  return whole;
}

// Reads rasters that share a grid.
absl::StatusOr<MergedFiles> MergeOnGrid(const Gdal& gdal, std::vector<Header> headers,
                                        const ReadOptions& options) {
  MergedFiles merged;
  merged.name = headers.size() == 1 ? headers.front().path : absl::StrCat(headers.size(), " files");
  THALWEG_ASSIGN_OR_RETURN(const Georeferenced whole, WholeOf(merged.name, headers));
  const int reduction = (std::max(whole.width, whole.height) + kMaxSide - 1) / kMaxSide;
  double pixels = 0;
  for (const Header& header : headers) pixels += header.Pixels();
  Mosaic mosaic(whole, reduction);
  Told told;
  double done = 0;
  for (const Header& header : headers) {
    const double share = header.Pixels() / pixels;
    THALWEG_RETURN_IF_ERROR(ReadInto(
        gdal, header, static_cast<int>(header.column), static_cast<int>(header.row), options,
        [&](double part) { options.progress(done + part * share); }, mosaic, told));
    done += share;
  }
  merged.place = mosaic.place();
  merged.parts = mosaic.Parts();
  merged.heights_m = mosaic.TakeHeights();
  merged.notes = told.Notes(headers.size());
  if (headers.size() > 1) {
    merged.notes.push_back(absl::StrFormat("%d rasters became one of %d x %d pixels",
                                           headers.size(), whole.width, whole.height));
  }
  if (reduction > 1) {
    merged.notes.push_back(absl::StrFormat(
        "%d x %d pixels became %d x %d, each the mean of %d x %d: a world has max %d on a side",
        whole.width, whole.height, merged.place.width, merged.place.height, reduction, reduction,
        kMaxSide));
  }
  const std::string note = SmoothTerraces(options, told.steps, merged.heights_m);
  if (!note.empty()) merged.notes.push_back(note);
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

Bounds Joined(const Bounds& a, const Bounds& b) {
  return {std::min(a.west, b.west), std::min(a.south, b.south), std::max(a.east, b.east),
          std::max(a.north, b.north)};
}

// Returns the system that the first raster needs, or that is asked, with a corner of its pixels.
absl::StatusOr<Target> TargetOf(const Gdal& gdal, const Header& first, const std::string& asked) {
  Target target{asked};
  if (!asked.empty()) return target;
  THALWEG_ASSIGN_OR_RETURN(const auto needed, ProjectionFor(gdal, first.path, first.place, ""));
  target.crs = needed ? needed->crs : "";
  if (target.crs.empty()) target.crs = TextOf(gdal, first.place.reference.get());
  if (!needed) {
    target.x = first.place.transform[0];
    target.y = first.place.transform[3];
  }
  return target;
}

// Returns the rasters with their places in the target's system, those with the smallest pixels
// first.
absl::StatusOr<std::vector<Projected>> PlacesIn(const Gdal& gdal, const Target& target,
                                                const std::vector<Header>& headers) {
  std::vector<Projected> parts;
  for (const Header& header : headers) {
    Projected part{header};
    THALWEG_ASSIGN_OR_RETURN(const auto projection,
                             ProjectionFor(gdal, header.path, header.place, target.crs));
    part.cell = projection->cell;
    THALWEG_ASSIGN_OR_RETURN(part.bounds, BoundsIn(gdal, header.path, header.place, target.crs));
    parts.push_back(std::move(part));
  }
  std::ranges::stable_sort(parts, {}, &Projected::cell);
  return parts;
}

// Reads a raster alone and brings it to the target's grid.
absl::StatusOr<Dataset> ReadProjected(const Gdal& gdal, const Projected& part, const Target& target,
                                      const ReadOptions& options,
                                      absl::FunctionRef<void(double)> progress, Told& told) {
  const Header& header = part.header;
  Mosaic alone(header.place,
               std::clamp(static_cast<int>(target.cell / part.cell), 1, kMaxReduction));
  Told of_file;
  THALWEG_RETURN_IF_ERROR(ReadInto(gdal, header, 0, 0, options, progress, alone, of_file));
  survey::Grid<double> heights_m = alone.TakeHeights();
  const std::string note = SmoothTerraces(options, of_file.steps, heights_m);
  if (!note.empty()) of_file.said[note].push_back(header.path);
  for (const auto& [said, paths] : of_file.said) {
    told.said[said].insert(told.said[said].end(), paths.begin(), paths.end());
  }
  return Reproject(gdal, header.path, alone.place(), heights_m, {target.crs, target.cell, ""},
                   target.Around(part.bounds));
}

// Brings rasters on different grids to one.
absl::StatusOr<MergedFiles> MergeProjected(const Gdal& gdal, const std::vector<Header>& headers,
                                           const ReadOptions& options) {
  const Header& first = headers.front();
  for (const Header& header : headers) {
    if (header.place.reference != nullptr) continue;
    return absl::InvalidArgumentError(
        absl::StrFormat("raster '%s' is not on the grid of '%s', and has no reference system "
                        "(gdal_edit.py -a_srs sets it)",
                        header.path, first.path));
  }
  THALWEG_ASSIGN_OR_RETURN(Target target, TargetOf(gdal, first, options.crs));
  THALWEG_ASSIGN_OR_RETURN(const std::vector<Projected> parts, PlacesIn(gdal, target, headers));
  Bounds all = parts.front().bounds;
  for (const Projected& part : parts) all = Joined(all, part.bounds);
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
  const auto share = 1.0 / static_cast<double>(parts.size());
  double done = 0;
  for (const Projected& part : parts) {
    const std::string& path = part.header.path;
    THALWEG_ASSIGN_OR_RETURN(
        const Dataset dataset,
        ReadProjected(
            gdal, part, target, options,
            [&](double read) { options.progress(done + read * share); }, told));
    done += share;
    THALWEG_ASSIGN_OR_RETURN(const Georeferenced place, PlaceOf(gdal, path, dataset.get()));
    THALWEG_ASSIGN_OR_RETURN(const auto heights_m, ValuesOf(gdal, path, dataset.get()));
    whole.reference = place.reference;
    mosaic.Begin(path, pixels(place.transform[0] - all.west),
                 pixels(all.north - place.transform[3]), place.width, place.height);
    for (int y = 0; y < place.height; ++y) {
      const auto row =
          heights_m.values.begin() + static_cast<std::ptrdiff_t>(heights_m.Index(0, y));
      mosaic.AddRow(y, {row, row + place.width});
    }
    std::vector<std::string> differences;
    THALWEG_RETURN_IF_ERROR(mosaic.End(std::max(kAgreeM, kAgreeCells * target.cell), differences));
    told.Say(differences);
  }
  MergedFiles merged{.name = absl::StrCat(headers.size(), " files"),
                     .heights_m = mosaic.TakeHeights(),
                     .place = mosaic.place(),
                     .parts = mosaic.Parts(),
                     .is_projected = true,
                     .notes = told.Notes(headers.size())};
  merged.place.reference = whole.reference;
  merged.notes.push_back(
      absl::StrFormat("%d rasters on different grids became one of pixels of %g in %s (cubic)",
                      headers.size(), target.cell, target.crs));
  return merged;
}

}  // namespace

Mosaic::Mosaic(const Georeferenced& whole, int reduction)
    : place_(Reduced(whole, reduction)),
      reduction_(reduction),
      sum_m_(survey::FilledGrid(place_.width, place_.height, 0.0)),
      count_(survey::FilledGrid<std::uint16_t>(place_.width, place_.height, 0)),
      row_sum_m_(static_cast<std::size_t>(place_.width)),
      row_count_(static_cast<std::size_t>(place_.width)) {}

void Mosaic::Begin(const std::string& path, int column, int row, int width, int height) {
  parts_.push_back({path, column, row, width, height, false});
  overlap_ = {};
}

void Mosaic::AddRow(int row, const std::vector<double>& heights_m) {
  MosaicPart& part = parts_.back();
  const int y = (part.row + row) / reduction_;
  if (y != y_) Flush();
  y_ = y;
  for (int x = 0; x < part.width; ++x) {
    const double height_m = heights_m[static_cast<std::size_t>(x)];
    if (std::isnan(height_m)) continue;
    part.has_heights = true;
    const auto to = static_cast<std::size_t>((part.column + x) / reduction_);
    row_sum_m_[to] += height_m;
    ++row_count_[to];
  }
}

void Mosaic::Flush() {
  if (y_ < 0) return;
  const int full = reduction_ * reduction_;
  for (int x = 0; x < place_.width; ++x) {
    const auto from = static_cast<std::size_t>(x);
    const std::uint16_t count = std::exchange(row_count_[from], std::uint16_t{0});
    const double sum_m = std::exchange(row_sum_m_[from], 0.0);
    if (count == 0) continue;
    double& total_m = sum_m_.At(x, y_);
    std::uint16_t& total = count_.At(x, y_);
    if (total < full) {
      total_m += sum_m;
      total = static_cast<std::uint16_t>(total + count);
      continue;
    }
    const double apart_m = std::abs(sum_m / count - total_m / total);
    if (apart_m >= overlap_.max_m) {
      overlap_.max_m = apart_m;
      overlap_.x = x;
      overlap_.y = y_;
    }
    overlap_.sum_m += apart_m;
    ++overlap_.count;
  }
  y_ = -1;
}

absl::Status Mosaic::End(double agree_m, std::vector<std::string>& notes) {
  Flush();
  const Overlap& overlap = overlap_;
  constexpr double kSameM = 0.01;
  const double mean_m = overlap.count == 0 ? 0 : overlap.sum_m / static_cast<double>(overlap.count);
  if (mean_m <= kSameM) return absl::OkStatus();
  const int column = overlap.x * reduction_;
  const int row = overlap.y * reduction_;
  const auto other = std::ranges::find_if(parts_, [&](const MosaicPart& part) {
    return column + reduction_ > part.column && column < part.column + part.width &&
           row + reduction_ > part.row && row < part.row + part.height;
  });
  const std::string& path = parts_.back().path;
  if (mean_m > agree_m) {
    return RasterError(
        path, absl::StrFormat("the heights of '%s' where both have heights", other->path),
        absl::StrFormat(
            "heights that differ by %.3g m on average and up to %.3g m; leave one of them out, or "
            "gdalbuildvrt makes one raster of them, in which the last one wins",
            mean_m, overlap.max_m));
  }
  notes.push_back(absl::StrFormat("%s differs from %s by %.2g m on average, up to %.3g m; %s wins",
                                  path, other->path, mean_m, overlap.max_m, other->path));
  return absl::OkStatus();
}

std::vector<MosaicPart> Mosaic::Parts() const {
  std::vector<MosaicPart> parts = parts_;
  for (MosaicPart& part : parts) {
    const int east = Divided(part.column + part.width, reduction_);
    const int south = Divided(part.row + part.height, reduction_);
    part.column /= reduction_;
    part.row /= reduction_;
    part.width = east - part.column;
    part.height = south - part.row;
  }
  return parts;
}

survey::Grid<double> Mosaic::TakeHeights() {
  // Where less than a quarter of a pixel has heights, it has none.
  constexpr int kLeastShare = 4;
  const int full = reduction_ * reduction_;
  for (std::size_t i = 0; i < sum_m_.values.size(); ++i) {
    const int count = count_.values[i];
    double& value = sum_m_.values[i];
    value = count * kLeastShare >= full && count > 0 ? value / count
                                                     : std::numeric_limits<double>::quiet_NaN();
  }
  return std::move(sum_m_);
}

absl::StatusOr<MergedFiles> MergeFiles(const Gdal& gdal, const std::vector<std::string>& files,
                                       const ReadOptions& options) {
  THALWEG_ASSIGN_OR_RETURN(std::vector<Header> headers, HeadersOf(gdal, files, options));
  return FindPixels(gdal, headers) ? MergeOnGrid(gdal, std::move(headers), options)
                                   : MergeProjected(gdal, headers, options);
}

}  // namespace thalweg::raster_file
