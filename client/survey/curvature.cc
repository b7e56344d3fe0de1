#include "client/survey/curvature.h"

#include <array>
#include <cmath>
#include <vector>

namespace thalweg::survey {
namespace {

// exp(-d^2 / 2) for distances 0 to 4; it is negligible beyond.
constexpr int kRadius = 4;

std::array<double, kRadius + 1> GaussianWeights() {
  std::array<double, kRadius + 1> weights{};
  double sum = 0;
  for (int d = 0; d <= kRadius; ++d) {
    weights[static_cast<std::size_t>(d)] = std::exp(-0.5 * d * d);
    sum += (d == 0 ? 1 : 2) * weights[static_cast<std::size_t>(d)];
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

// Smooths along one axis, in steps of dx, dy. Values within kRadius of an end are not changed.
Grid<double> Smoothed(const Grid<double>& grid, int dx, int dy) {
  const auto weights = GaussianWeights();
  Grid<double> smooth = grid;
  const int margin_x = kRadius * dx;
  const int margin_y = kRadius * dy;
  for (int y = margin_y; y < grid.height - margin_y; ++y) {
    for (int x = margin_x; x < grid.width - margin_x; ++x) {
      double sum = weights[0] * grid.At(x, y);
      for (int d = 1; d <= kRadius; ++d) {
        sum += weights[static_cast<std::size_t>(d)] *
               (grid.At(x - d * dx, y - d * dy) + grid.At(x + d * dx, y + d * dy));
      }
      smooth.At(x, y) = sum;
    }
  }
  return smooth;
}

}  // namespace

std::optional<double> CurvatureSkewness(const Grid<double>& ground_m) {
  const Grid<double> smooth = Smoothed(Smoothed(ground_m, 1, 0), 0, 1);
  std::vector<double> curvatures;
  constexpr int kMargin = kRadius + 1;
  for (int y = kMargin; y < smooth.height - kMargin; ++y) {
    for (int x = kMargin; x < smooth.width - kMargin; ++x) {
      curvatures.push_back(smooth.At(x - 1, y) + smooth.At(x + 1, y) + smooth.At(x, y - 1) +
                           smooth.At(x, y + 1) - 4 * smooth.At(x, y));
    }
  }
  if (curvatures.empty()) return std::nullopt;
  const auto count = static_cast<double>(curvatures.size());
  double mean = 0;
  for (const double curvature : curvatures) mean += curvature / count;
  double square = 0;
  double cube = 0;
  for (const double curvature : curvatures) {
    const double off = curvature - mean;
    square += off * off / count;
    cube += off * off * off / count;
  }
  // Below the rounding error of a plane, there is no curvature.
  constexpr double kNoise = 1e-16;
  if (square <= kNoise) return std::nullopt;
  return cube / std::pow(square, 1.5);
}

}  // namespace thalweg::survey
