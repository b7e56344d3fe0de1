#include "client/survey/parent_difference.h"

#include <algorithm>
#include <cmath>

namespace thalweg::survey {

SharedVertices ShareWithParent(std::int64_t first, int count) {
  const int offset = static_cast<int>(first & 1);
  // Shifts round down. An odd first vertex has the first shared vertex east of it.
  return {.first = (first >> 1) + offset, .count = (count - offset + 1) / 2, .offset = offset};
}

ParentDifference CompareWithParent(const Grid<double>& child_m, const Grid<double>& parent_m,
                                   int offset_x, int offset_y) {
  ParentDifference difference;
  double squares = 0;
  for (int y = 0; y < parent_m.height; ++y) {
    for (int x = 0; x < parent_m.width; ++x) {
      const double apart = child_m.At(2 * x + offset_x, 2 * y + offset_y) - parent_m.At(x, y);
      difference.mean_m += apart;
      squares += apart * apart;
      difference.max_m = std::max(difference.max_m, std::abs(apart));
    }
  }
  const auto count = static_cast<double>(parent_m.values.size());
  difference.mean_m /= count;
  difference.rms_m = std::sqrt(squares / count);
  return difference;
}

}  // namespace thalweg::survey
