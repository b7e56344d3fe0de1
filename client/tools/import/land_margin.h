// The land around a raster, in which it goes over into the world.
#pragma once

#include <optional>

#include "client/tools/survey/grid.h"

namespace thalweg::real_land {

// What a margin comes down to.
struct Surroundings {
  // The height beside the raster of the plain around it, lower than the raster; with a sea, the
  // height of its floor.
  double plain_m = 0;
  std::optional<double> sea_level_m = {};
};

// Min and max width of a margin in cells.
inline constexpr int kMinMargin = 16;
inline constexpr int kMaxMargin = 1024;

// The heights along a raster's edge.
struct Edge {
  double mean_m = 0;
  double highest_m = 0;
  // The part that is below the sea.
  double in_sea = 0;
};

Edge EdgeOf(const survey::Grid<double>& raster_m, std::optional<double> sea_level_m);

// Returns how much lower the plain is at the outer side of a margin of this width.
double PlainFall(double margin_m);

// Returns the width in cells at which the margin is hardly steeper than the raster: 160 to 512.
int MarginCells(const survey::Grid<double>& raster_m, double cell_m, const Surroundings& around);

// Returns the raster with a margin of `cells` on each side. The raster's own heights stay.
//
// The margin goes on as the raster does at that side: its broad forms lead on, its small ones are
// mirrored, and it sinks towards the plain, or towards a sea as deep as at that side. Beds are cut
// through it along the lowest ways (by breaching, Lindsay 2016), so that no water which leaves the
// raster is dammed, and hollows that are left in it are filled. Its slopes are no steeper than all
// but a hundredth of the raster's.
survey::Grid<double> WithMargin(const survey::Grid<double>& raster_m, double cell_m, int cells,
                                const Surroundings& around);

}  // namespace thalweg::real_land
