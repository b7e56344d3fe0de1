// Quantiles of samples.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace thalweg::survey {

// Returns the value that this part of the others, 0 to 1, does not exceed. There must be a value.
// Changes the order of the values.
inline double Quantile(std::vector<double>& values, double part) {
  const auto at =
      values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace thalweg::survey
