// The ground under a sea that an elevation model shows as a flat surface.
#pragma once

#include <cstdint>

#include "client/survey/grid.h"

namespace thalweg::real_land {

// Elevation models have the surface of the sea, often exactly at its level. Lowers such flats, of
// 100 cells or more, to a floor that falls from the shore by 1 in 50, to 30 m at most. Returns the
// number of its cells.
std::int64_t MakeSeaFloor(survey::Grid<double>& ground_m, double cell_m, double sea_level_m);

}  // namespace thalweg::real_land
