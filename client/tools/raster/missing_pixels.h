// Pixels without heights: where a raster has none, and where it shows the sea.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "client/tools/raster/gdal.h"
#include "client/tools/survey/grid.h"

namespace thalweg::raster_file {

// What the missing pixels are that touch a raster's edge, directly or over other missing ones.
enum class NoData {
  // The sea where those around them are low and near its level; else cut off.
  kFind,
  // The sea.
  kSea,
  // Holes, which are filled as those inside are.
  kHole,
  // Cut off.
  kCut,
};

// Gives missing pixels that are sea the height of the sea, and clears them in `missing`. Adds a
// line to `notes` if there are any.
void FillSea(NoData no_data, double sea_level_m, survey::Grid<bool>& missing,
             survey::Grid<double>& ground_m, std::vector<std::string>& notes);

// Holes of up to twice this distance in pixels are filled.
inline constexpr int kFillPixels = 32;

// How the values of a band become heights in metres: value * scale + offset.
struct HeightScale {
  double scale = 1;
  double offset = 0;
};

// Finds which values of a band stand for nothing although nobody declared them.
class UndeclaredValues {
 public:
  // A value that stands for nothing in many files.
  struct Sentinel {
    double value = 0;
    std::int64_t count = 0;
    // How far all heights are from it.
    double nearest = std::numeric_limits<double>::infinity();
  };

  // Sees a value that the band's mask does not leave out.
  void See(double value);
  // Returns those of -9999, -32768, 32767, -32767, -99999 and 0 that were seen, and are at least
  // 50 m from every other value. `metres` is the unit of the values.
  std::vector<Sentinel> Found(double metres) const;
  // The least and the greatest height in the values' unit if these values stand for nothing; the
  // least is above the greatest if it saw no height.
  std::pair<double, double> Range(const std::vector<Sentinel>& nothing) const;

 private:
  std::array<Sentinel, 6> sentinels_ = {{{-9999}, {-32768}, {32767}, {-32767}, {-99999}, {0}}};
  double lowest_ = std::numeric_limits<double>::infinity();
  double highest_ = -std::numeric_limits<double>::infinity();
};

// Whether a pixel has a number that may be a height: its mask is not 0, and it is below 1e30, where
// programs write the least number of 32 bits in many ways.
bool HasNumber(double value, std::uint8_t mask);

// A part of a grid, up to but without the column `east` and the row `south`.
struct Window {
  int west = 0;
  int north = 0;
  int east = 0;
  int south = 0;
};

// Returns how many pixels of a row or column of the window have no data.
int MissingAlong(const survey::Grid<bool>& missing, const Window& line);

// Cuts off the edge with the most missing pixels until no edge has any. What is missing then are
// holes.
Window WindowWithData(const survey::Grid<bool>& missing);

// Fills missing pixels that are at most kFillPixels from others, by GDAL's conic search in four
// directions (GDALFillNodata). Clears them in `missing`.
absl::Status FillHoles(const Gdal& gdal, const std::string& path, survey::Grid<bool>& missing,
                       survey::Grid<double>& ground_m);

}  // namespace thalweg::raster_file
