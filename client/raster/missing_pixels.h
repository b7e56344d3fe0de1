// The pixels of a raster that have no height.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/raster/gdal.h"
#include "client/survey/grid.h"

namespace thalweg::raster_file {

// Holes of up to twice this distance in pixels are filled.
inline constexpr int kFillPixels = 32;

// How the values of a band become heights in metres: value * scale + offset.
struct HeightScale {
  double scale = 1;
  double offset = 0;
};

// Tells which values are no heights: those that the band's mask leaves out (its nodata value
// included), infinite ones, those beyond 1e30, and values that stand for nothing in many files
// (-9999, -32768, 32767, -32767, -99999, and 0), where they are at least 50 m from every other
// height. Adds a line to `notes` for each value that nobody declared.
absl::StatusOr<survey::Grid<bool>> MissingPixels(const Gdal& gdal, const std::string& path,
                                                 void* band, const survey::Grid<double>& values,
                                                 const HeightScale& scale,
                                                 std::vector<std::string>& notes);

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
