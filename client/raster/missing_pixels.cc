#include "client/raster/missing_pixels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "client/raster/quiet_errors.h"
#include "client/raster/raster_error.h"

namespace thalweg::raster_file {
namespace {

// No height in any unit.
constexpr double kBeyondNumbers = 1e30;
// How far, in metres, a value that stands for nothing is from all heights.
constexpr double kApartM = 50;

}  // namespace

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
