#include "client/tools/raster/missing_pixels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "absl/strings/str_format.h"
#include "client/tools/survey/grid.h"
#include "client/tools/survey/statistics.h"

namespace thalweg::raster_file {
namespace {

using survey::Grid;

// How far from its level the shore of a sea may be in its middle pixel.
constexpr double kNearM = 25;

// Missing pixels that touch each other, and the heights around them.
struct MissingRegion {
  std::vector<std::size_t> pixels;
  std::vector<double> shore_m;
};

// Returns the region of a missing pixel. Marks its pixels in `seen`.
MissingRegion MissingRegionOf(std::size_t first, const Grid<bool>& missing,
                              const Grid<double>& ground_m, std::vector<bool>& seen) {
  MissingRegion region;
  seen[first] = true;
  region.pixels = survey::RegionOf(missing.width, missing.height, first, [&](std::size_t to) {
    if (!missing.values[to]) {
      region.shore_m.push_back(ground_m.values[to]);
    } else if (!seen[to]) {
      seen[to] = true;
      return true;
    }
    return false;
  });
  return region;
}

// The height that half of the raster is below.
double MedianOf(const Grid<bool>& missing, const Grid<double>& ground_m) {
  constexpr std::size_t kSamples = 1 << 20;
  const std::size_t every = 1 + ground_m.values.size() / kSamples;
  std::vector<double> heights_m;
  for (std::size_t i = 0; i < ground_m.values.size(); i += every) {
    if (!missing.values[i]) heights_m.push_back(ground_m.values[i]);
  }
  return heights_m.empty() ? 0 : survey::Quantile(heights_m, 0.5);
}

// Whether the heights around a region are those of a shore. A rotated raster's corners have slopes
// and summits around them.
bool IsShore(std::vector<double>& shore_m, double sea_level_m, double median_m) {
  constexpr double kMost = 0.9;
  return !shore_m.empty() && std::abs(survey::Quantile(shore_m, 0.5) - sea_level_m) <= kNearM &&
         survey::Quantile(shore_m, kMost) <= median_m;
}

// No height in any unit.
constexpr double kBeyondNumbers = 1e30;
// How far, in metres, a value that stands for nothing is from all heights.
constexpr double kApartM = 50;

}  // namespace

void FillSea(NoData no_data, double sea_level_m, Grid<bool>& missing, Grid<double>& ground_m,
             std::vector<std::string>& notes) {
  if (no_data == NoData::kCut || no_data == NoData::kHole) return;
  const double median_m = MedianOf(missing, ground_m);
  std::vector<bool> seen(missing.values.size(), false);
  std::size_t filled = 0;
  for (int y = 0; y < missing.height; ++y) {
    for (int x = 0; x < missing.width; ++x) {
      const std::size_t i = missing.Index(x, y);
      if (!missing.IsEdge(x, y) || !missing.values[i] || seen[i]) continue;
      MissingRegion region = MissingRegionOf(i, missing, ground_m, seen);
      if (no_data == NoData::kFind && !IsShore(region.shore_m, sea_level_m, median_m)) continue;
      for (const std::size_t pixel : region.pixels) {
        ground_m.values[pixel] = sea_level_m;
        missing.values[pixel] = false;
      }
      filled += region.pixels.size();
    }
  }
  if (filled == 0) return;
  notes.push_back(absl::StrFormat(
      "missing pixels at the edges: %d (%.1f %%) became sea at %g m%s", filled,
      100.0 * static_cast<double>(filled) / static_cast<double>(missing.values.size()), sea_level_m,
      no_data == NoData::kFind ? "; --no-data cut leaves them out" : ""));
}

void UndeclaredValues::See(double value) {
  const auto sentinel = std::ranges::find(sentinels_, value, &Sentinel::value);
  if (sentinel != sentinels_.end()) {
    ++sentinel->count;
    return;
  }
  lowest_ = std::min(lowest_, value);
  highest_ = std::max(highest_, value);
  for (Sentinel& other : sentinels_) {
    other.nearest = std::min(other.nearest, std::abs(value - other.value));
  }
}

std::vector<UndeclaredValues::Sentinel> UndeclaredValues::Found(double metres) const {
  std::vector<Sentinel> found;
  for (const Sentinel& sentinel : sentinels_) {
    const bool is_apart = sentinel.nearest * std::abs(metres) >= kApartM;
    // A plain of zeros is a plain.
    const bool may_be = lowest_ <= highest_ || sentinel.value != 0;
    if (may_be && sentinel.count > 0 && is_apart) found.push_back(sentinel);
  }
  return found;
}

std::pair<double, double> UndeclaredValues::Range(const std::vector<Sentinel>& nothing) const {
  std::pair<double, double> range = {lowest_, highest_};
  for (const Sentinel& sentinel : sentinels_) {
    const bool is_height =
        std::ranges::find(nothing, sentinel.value, &Sentinel::value) == nothing.end();
    if (sentinel.count == 0 || !is_height) continue;
    range = {std::min(range.first, sentinel.value), std::max(range.second, sentinel.value)};
  }
  return range;
}

bool HasNumber(double value, std::uint8_t mask) {
  return mask != 0 && std::isfinite(value) && std::abs(value) < kBeyondNumbers;
}

int MissingAlong(const survey::Grid<bool>& missing, const Window& line) {
  int count = 0;
  for (int y = line.north; y < line.south; ++y) {
    for (int x = line.west; x < line.east; ++x)
      count += missing.values[missing.Index(x, y)] ? 1 : 0;
  }
  return count;
}

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

absl::Status FillHoles(const Gdal& gdal, const std::string& path, survey::Grid<bool>& missing,
                       survey::Grid<double>& ground_m) {
  const int width = ground_m.width;
  const int height = ground_m.height;
  const Dataset target = CreateInMemory(gdal, width, height, Gdal::kFloat32);
  const Dataset mask = CreateInMemory(gdal, width, height, Gdal::kByte);
  if (target == nullptr || mask == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("raster '", path, "': out of memory to fill its holes"));
  }
  void* const target_band = gdal.GetRasterBand(target.get(), 1);
  void* const mask_band = gdal.GetRasterBand(mask.get(), 1);
  // Stays where nothing is near enough.
  constexpr float kUnfilled = -1e30F;
  std::vector<float> row(static_cast<std::size_t>(width));
  std::vector<std::uint8_t> known(static_cast<std::size_t>(width));
  const auto write = [&](void* band, int y, auto& values, int type) {
    return gdal.RasterIO(band, Gdal::kWrite, 0, y, width, 1, values.data(), width, 1, type, 0, 0) ==
           0;
  };
  const QuietErrors errors(gdal);
  bool ok = true;
  for (int y = 0; ok && y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto n = static_cast<std::size_t>(x);
      known[n] = missing.values[missing.Index(x, y)] ? 0 : 255;
      row[n] = known[n] == 0 ? kUnfilled : static_cast<float>(ground_m.At(x, y));
    }
    ok = write(target_band, y, row, Gdal::kFloat32) && write(mask_band, y, known, Gdal::kByte);
  }
  constexpr std::array<const char*, 2> kOptions = {"TEMP_FILE_DRIVER=MEM", nullptr};
  ok = ok && gdal.FillNodata(target_band, mask_band, kFillPixels, 0, 0, kOptions.data(), nullptr,
                             nullptr) == 0;
  for (int y = 0; ok && y < height; ++y) {
    ok = gdal.RasterIO(target_band, Gdal::kRead, 0, y, width, 1, row.data(), width, 1,
                       Gdal::kFloat32, 0, 0) == 0;
    for (int x = 0; ok && x < width; ++x) {
      const std::size_t i = missing.Index(x, y);
      const float value = row[static_cast<std::size_t>(x)];
      if (!missing.values[i] || value == kUnfilled) continue;
      ground_m.values[i] = value;
      missing.values[i] = false;
    }
  }
  return ok ? absl::OkStatus() : RasterError(path, "holes that GDAL fills", errors.Last());
}

}  // namespace thalweg::raster_file
