#include "client/survey/hypsometry.h"

#include <algorithm>
#include <numeric>

namespace thalweg::survey {

Hypsometry MeasureHypsometry(const Grid<double>& ground_m) {
  const auto& heights = ground_m.values;
  const auto [min, max] = std::minmax_element(heights.begin(), heights.end());
  const double sum = std::accumulate(heights.begin(), heights.end(), 0.0);
  Hypsometry hypsometry{*min, *max, sum / static_cast<double>(heights.size()), std::nullopt};
  if (*max > *min) hypsometry.integral = (hypsometry.mean_m - *min) / (*max - *min);
  return hypsometry;
}

}  // namespace thalweg::survey
