// Lines through points, bins and quantiles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "client/tools/survey/grid.h"

namespace thalweg::survey {

// Returns the slope of the line with the least sum of squared differences in y. Both spans must
// have the same length. Nothing if fewer than two values of x differ.
std::optional<double> FitSlope(std::span<const double> x, std::span<const double> y);

// Subtracts from the samples the plane that fits them best by least squares.
void RemovePlane(Grid<double>& samples);

// The points of a log-log plot, reduced to one for each bin.
struct LogBins {
  // The means of log10 in each bin that counts, from the smallest x on.
  std::vector<double> log_x;
  std::vector<double> log_y;
};

// Returns the means of log10 x and log10 y over bins of 1 / bins_per_decade in log10 x; the first
// bin begins at first_x. x and y must be above 0 and have the same length. Points below first_x and
// bins with fewer than min_count points are left out.
LogBins MeanOverLogBins(std::span<const double> x, std::span<const double> y, double first_x,
                        int bins_per_decade, int min_count);

// Returns the value that this part of the others, 0 to 1, does not exceed. There must be a value.
// Changes the order of the values.
inline double Quantile(std::vector<double>& values, double part) {
  const auto at =
      values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace thalweg::survey
