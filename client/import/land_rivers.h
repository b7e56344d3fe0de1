// How water flows over real land.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "client/survey/drainage.h"
#include "client/survey/grid.h"

namespace thalweg::real_land {

// The drainage of ground in metres. Water passes depressions that are less deep than
// `deepest_fill_m`, and ends in the others, at the edge, and under the sea if there is one.
survey::Drainage DrainageOf(const survey::Grid<double>& ground_m, std::optional<double> sea_level_m,
                            double deepest_fill_m);

// Raises the ground, in height units, by the least amounts that put every cell above its receiver
// by `fall` or more.
void LetWaterFall(const survey::Drainage& drainage, std::int32_t fall,
                  std::vector<std::int32_t>& ground);

// The law that slopes of rivers follow: slope = steepness * area^-concavity, area in square metres,
// bent to an angle of repose.
struct SlopeLaw {
  double steepness = 50;
  double concavity = 0.45;
  // Few slopes are steeper than the first, and almost none than the second.
  double repose_deg = 36;
  double steepest_deg = 46;
};

// The law whose steepness is the median of the channels'. Its numbers are rounded.
SlopeLaw FitSlopeLaw(const survey::Grid<double>& ground_m, const survey::Drainage& drainage,
                     double cell_m);

// How much steeper than the law's each cell's way down is, over the next few steps, where it bends
// to the steepest angle: the codes of elevation::PackedWay.
std::vector<int> SteepnessCodes(const survey::Grid<double>& ground_m,
                                const survey::Drainage& drainage, double cell_m,
                                const SlopeLaw& law);

}  // namespace thalweg::real_land
