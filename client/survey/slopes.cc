#include "client/survey/slopes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "client/survey/neighbours.h"

namespace thalweg::survey {
namespace {

double Degrees(double gradient) { return std::atan(gradient) * 180 / std::numbers::pi; }

double Percentile(const std::vector<double>& sorted, int percent) {
  const double rank = static_cast<double>(sorted.size() - 1) * percent / 100;
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], rank - std::floor(rank));
}

double ShareOver(const std::vector<double>& sorted, double degrees) {
  const double gradient = std::tan(degrees * std::numbers::pi / 180);
  const auto over = std::upper_bound(sorted.begin(), sorted.end(), gradient);
  return static_cast<double>(sorted.end() - over) / static_cast<double>(sorted.size());
}

}  // namespace

Slopes MeasureSlopes(const Grid<double>& ground_m, double cell_size_m,
                     std::optional<double> talus_deg) {
  std::vector<double> descents;
  std::vector<double> gradients;
  descents.reserve(ground_m.values.size());
  gradients.reserve(ground_m.values.size());
  for (int y = 1; y + 1 < ground_m.height; ++y) {
    for (int x = 1; x + 1 < ground_m.width; ++x) {
      double steepest = 0;
      for (const Step& step : kSteps) {
        const double drop = ground_m.At(x, y) - ground_m.At(x + step.dx, y + step.dy);
        steepest = std::max(steepest, drop / step.length);
      }
      descents.push_back(steepest / cell_size_m);
      gradients.push_back(std::hypot(ground_m.At(x + 1, y) - ground_m.At(x - 1, y),
                                     ground_m.At(x, y + 1) - ground_m.At(x, y - 1)) /
                          (2 * cell_size_m));
    }
  }
  std::sort(descents.begin(), descents.end());
  std::sort(gradients.begin(), gradients.end());
  Slopes slopes;
  for (std::size_t i = 0; i < kSlopePercentiles.size(); ++i) {
    slopes.percentiles_deg[i] = Degrees(Percentile(descents, kSlopePercentiles[i]));
  }
  for (std::size_t i = 0; i < kGradientPercentiles.size(); ++i) {
    slopes.gradients_deg[i] = Degrees(Percentile(gradients, kGradientPercentiles[i]));
  }
  if (!talus_deg) return slopes;
  slopes.over_talus = ShareOver(descents, *talus_deg);
  // No slope of a height field reaches 90 degrees.
  const double far_deg = *talus_deg + kTalusMarginDeg;
  slopes.far_over_talus = far_deg < 90 ? ShareOver(descents, far_deg) : 0;
  return slopes;
}

}  // namespace thalweg::survey
