#include "client/survey/log_bins.h"

#include <cmath>
#include <cstddef>

namespace thalweg::survey {

LogBins MeanOverLogBins(std::span<const double> x, std::span<const double> y, double first_x,
                        int bins_per_decade, int min_count) {
  struct Sum {
    double log_x = 0;
    double log_y = 0;
    int count = 0;
  };
  std::vector<Sum> sums;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] < first_x) continue;
    const auto bin = static_cast<std::size_t>(std::log10(x[i] / first_x) * bins_per_decade);
    if (bin >= sums.size()) sums.resize(bin + 1);
    sums[bin].log_x += std::log10(x[i]);
    sums[bin].log_y += std::log10(y[i]);
    ++sums[bin].count;
  }
  LogBins bins;
  for (const Sum& sum : sums) {
    if (sum.count == 0 || sum.count < min_count) continue;
    bins.log_x.push_back(sum.log_x / sum.count);
    bins.log_y.push_back(sum.log_y / sum.count);
  }
  return bins;
}

}  // namespace thalweg::survey
