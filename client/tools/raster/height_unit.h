// Units of heights, and heights that were rounded to whole metres, feet or the like.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/tools/raster/gdal.h"
#include "client/tools/survey/grid.h"

namespace thalweg::raster_file {

// Finds the step that a band's values were rounded to.
class StepFinder {
 public:
  void See(double value);
  // The greatest whole number that all values are multiples of, up to 100; else 0.1 or 0.01 if they
  // are multiples of that; nothing if they are not, or if it saw no value but 0.
  std::optional<double> Step() const;

 private:
  // Of the values so far; 0: all were 0.
  std::int64_t whole_ = 0;
  bool are_whole_ = true;
  bool are_tenths_ = true;
  bool are_hundredths_ = true;
};

// Heights are offset_m plus a multiple of step_m.
struct HeightSteps {
  double step_m = 0;
  double offset_m = 0;
};

// Turns terraces into slopes. Ground that has the same height as a neighbour gets a height of up to
// half a step above or below: halfway to the next terrace where it meets that one, and in between
// by its distances from the next higher and the next lower terrace. Ground at the height `still_m`,
// at others than those of steps, and missing ground (NaN) stay as they are. Returns how many
// vertices it changed.
std::int64_t SmoothSteps(const HeightSteps& steps, double still_m, survey::Grid<double>& ground_m);

// The units of heights in rasters.
struct HeightUnit {
  // In the plural: "US survey feet".
  std::string name;
  double metres = 1;
  // Who says so: "the band's unit".
  std::string source;
};

// Returns the unit that files write in this way, such as "m", "Meters", "ft" or "US survey foot",
// without a source; nothing for other words.
std::optional<HeightUnit> HeightUnitNamed(std::string_view text);

// Returns the unit of a band's heights: the band's own; else that of the vertical part of its
// reference system; else feet where the system's lengths are feet; else metres. `reference` may be
// null. INVALID_ARGUMENT if the band has another unit than these.
absl::StatusOr<HeightUnit> HeightUnitOf(const Gdal& gdal, const std::string& path, void* band,
                                        void* reference);

}  // namespace thalweg::raster_file
