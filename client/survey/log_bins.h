// Means over logarithmic bins.
#pragma once

#include <span>
#include <vector>

namespace thalweg::survey {

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

}  // namespace thalweg::survey
