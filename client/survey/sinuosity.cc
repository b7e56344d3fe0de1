#include "client/survey/sinuosity.h"

#include <algorithm>
#include <cmath>

namespace thalweg::survey {

std::optional<double> Sinuosity(const Drainage& drainage) {
  constexpr int kWaySteps = 24;
  constexpr int kMinWays = 20;
  double sum = 0;
  int ways = 0;
  for (std::size_t from = 0; from < drainage.area.size(); ++from) {
    if (drainage.area[from] <= kRiverArea) continue;
    auto cell = static_cast<std::int32_t>(from);
    double way = 0;
    int steps = 0;
    for (; steps < kWaySteps; ++steps) {
      const std::int32_t next = drainage.receiver[static_cast<std::size_t>(cell)];
      if (next == kOutlet) break;
      way += drainage.StepLength(cell);
      cell = next;
    }
    if (steps < kWaySteps) continue;
    const auto start = static_cast<std::int32_t>(from);
    const double chord = std::hypot(cell % drainage.width - start % drainage.width,
                                    cell / drainage.width - start / drainage.width);
    sum += way / std::max(chord, 1.0);
    ++ways;
  }
  if (ways < kMinWays) return std::nullopt;
  return sum / ways;
}

}  // namespace thalweg::survey
