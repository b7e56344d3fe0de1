// Water of real land: rivers, the sheets of an elevation file, and the ground under a flat sea.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "client/tools/survey/grid.h"
#include "client/tools/survey/streams.h"
#include "proto/elevation/elevation_file.h"

namespace thalweg::real_land {

// Returns the drainage of ground in metres, without lengths. Water crosses depressions less deep
// than `deepest_fill_m`. It ends in deeper ones, at the edge, and below sea level if there is a
// sea.
survey::Drainage DrainageOf(survey::Grid<double> ground_m, std::optional<double> sea_level_m,
                            double deepest_fill_m);

// Raises the ground, in height units, by the smallest amounts that put every cell above its
// receiver by at least `fall`.
void LetWaterFall(const survey::Drainage& drainage, std::int32_t fall,
                  std::vector<std::int32_t>& ground);

// The law that slopes of rivers follow: slope = steepness * area^-concavity, area in square metres,
// limited by an angle of repose.
struct SlopeLaw {
  double steepness = 50;
  double concavity = 0.45;
  // Few slopes are steeper than repose_deg, and almost none than steepest_deg.
  double repose_deg = 36;
  double steepest_deg = 46;
};

// Returns the law with the median steepness of the channels, but for those in a margin of so many
// cells. Its numbers are rounded.
SlopeLaw FitSlopeLaw(const survey::Grid<double>& ground_m, const survey::Drainage& drainage,
                     double cell_m, int margin = 0);

// Returns how much steeper each cell's way down is, over the next few steps, than the law limited
// by the steepest angle: as codes of elevation::PackedWay.
std::vector<int> SteepnessCodes(const survey::Grid<double>& ground_m,
                                const survey::Drainage& drainage, double cell_m,
                                const SlopeLaw& law);

// A world's heights are as near to its datum as this.
inline constexpr double kHighestM = 16000;

// The result of an import.
struct Land {
  std::vector<elevation::Sheet> sheets;
  SlopeLaw law;
  // How much depressions were filled so that water flows: the root mean square over all cells of
  // the raster, and the maximum.
  double filled_rms_m = 0;
  double filled_max_m = 0;
};

// Makes the sheets of a raster that has a margin of so many cells, with every 2^step-th vertex for
// the steps 0 to `steps`. Heights are clamped to within 16,000 m of the datum. `progress` is called
// when each step begins.
Land LandOf(survey::Grid<double> ground_m, int margin, double cell_m, int steps,
            std::optional<double> sea_level_m, const std::function<void(int step)>& progress = {});

// Elevation models have the surface of the sea, often exactly at its level. Lowers such flats, of
// 100 cells or more, to a floor that falls from the shore by 1 in 50, to 30 m at most. Returns the
// number of its cells.
std::int64_t MakeSeaFloor(survey::Grid<double>& ground_m, double cell_m, double sea_level_m);

}  // namespace thalweg::real_land
