#include "client/raster/sea_pixels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "absl/strings/str_format.h"
#include "client/survey/quantile.h"
#include "client/survey/region.h"

namespace thalweg::raster_file {
namespace {

using survey::Grid;

// How far from its level the shore of a sea may be in its middle pixel.
constexpr double kNearM = 25;

// Missing pixels that touch each other, and the heights around them.
struct Region {
  std::vector<std::size_t> pixels;
  std::vector<double> shore_m;
};

// Returns the region of a missing pixel. Marks its pixels in `seen`.
Region RegionOf(std::size_t first, const Grid<bool>& missing, const Grid<double>& ground_m,
                std::vector<bool>& seen) {
  Region region;
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
      Region region = RegionOf(i, missing, ground_m, seen);
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
      "%d missing pixels at the edges (%.1f %%) became sea at %g m%s", filled,
      100.0 * static_cast<double>(filled) / static_cast<double>(missing.values.size()), sea_level_m,
      no_data == NoData::kFind ? "; --no-data cut leaves them out" : ""));
}

}  // namespace thalweg::raster_file
