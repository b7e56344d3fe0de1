// How water flows over real land.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "client/survey/drainage.h"
#include "client/survey/grid.h"

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

}  // namespace thalweg::real_land
