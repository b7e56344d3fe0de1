#include "client/raster/missing_pixels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/strings/str_cat.h"
#include "client/raster/quiet_errors.h"
#include "client/raster/raster_error.h"

namespace thalweg::raster_file {
namespace {

// No height in any unit. Programs write the least number of 32 bits in many ways: -3.4e38.
constexpr double kBeyondNumbers = 1e30;
// How far, in metres, a value that stands for nothing is from all heights.
constexpr double kApartM = 50;

// A value that stands for nothing in many files.
struct Sentinel {
  double value = 0;
  std::int64_t count = 0;
  double nearest = std::numeric_limits<double>::infinity();
};

// Leaves those sentinels that are in the raster and far from all of its heights.
std::vector<Sentinel> UndeclaredSentinels(const survey::Grid<double>& values,
                                          const survey::Grid<bool>& missing, double scale) {
  std::array<Sentinel, 6> sentinels = {{{-9999}, {-32768}, {32767}, {-32767}, {-99999}, {0}}};
  bool has_heights = false;
  for (std::size_t i = 0; i < values.values.size(); ++i) {
    if (missing.values[i]) continue;
    const double value = values.values[i];
    const auto sentinel = std::ranges::find(sentinels, value, &Sentinel::value);
    if (sentinel != sentinels.end()) {
      ++sentinel->count;
      continue;
    }
    has_heights = true;
    for (Sentinel& other : sentinels) {
      other.nearest = std::min(other.nearest, std::abs(value - other.value));
    }
  }
  std::vector<Sentinel> undeclared;
  for (const Sentinel& sentinel : sentinels) {
    const bool is_apart = sentinel.nearest * std::abs(scale) >= kApartM;
    // A plain of zeros is a plain.
    const bool may_be = has_heights || sentinel.value != 0;
    if (may_be && sentinel.count > 0 && is_apart) undeclared.push_back(sentinel);
  }
  return undeclared;
}

}  // namespace

absl::StatusOr<survey::Grid<bool>> MissingPixels(const Gdal& gdal, const std::string& path,
                                                 void* band, const survey::Grid<double>& values,
                                                 const HeightScale& scale,
                                                 std::vector<std::string>& notes) {
  survey::Grid<bool> missing = survey::FilledGrid(values.width, values.height, false);
  std::vector<std::uint8_t> row(static_cast<std::size_t>(values.width));
  const QuietErrors errors(gdal);
  void* const mask = gdal.GetMaskBand(band);
  for (int y = 0; y < values.height; ++y) {
    if (gdal.RasterIO(mask, Gdal::kRead, 0, y, values.width, 1, row.data(), values.width, 1,
                      Gdal::kByte, 0, 0) != 0) {
      return RasterError(path, "a mask that can be read", errors.Last());
    }
    for (int x = 0; x < values.width; ++x) {
      const double value = values.At(x, y);
      missing.values[missing.Index(x, y)] = row[static_cast<std::size_t>(x)] == 0 ||
                                            !std::isfinite(value) ||
                                            std::abs(value) >= kBeyondNumbers;
    }
  }
  for (const Sentinel& sentinel : UndeclaredSentinels(values, missing, scale.scale)) {
    for (std::size_t i = 0; i < values.values.size(); ++i) {
      if (values.values[i] == sentinel.value) missing.values[i] = true;
    }
    notes.push_back(absl::StrCat(sentinel.count, " pixels of ", sentinel.value,
                                 " count as missing: all other heights are far from it"));
  }
  return missing;
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
    return RasterError(path, "memory for its holes", "none");
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
