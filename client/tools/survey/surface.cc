#include "client/tools/survey/surface.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <numbers>
#include <numeric>
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

enum Form { kFlat, kPeak, kRidge, kShoulder, kSpur, kSlope, kHollow, kFootslope, kValley, kPit };

// The form by how many directions are below (rows) and above (columns); their sum is at most 8
// (Jasiewicz & Stepinski 2013, figure 4).
constexpr Form kForms[9][9] = {
    {kFlat, kFlat, kFlat, kFootslope, kFootslope, kValley, kValley, kValley, kPit},
    {kFlat, kFlat, kFootslope, kFootslope, kFootslope, kValley, kValley, kValley},
    {kFlat, kShoulder, kSlope, kSlope, kHollow, kHollow, kValley},
    {kShoulder, kShoulder, kSlope, kSlope, kSlope, kHollow},
    {kShoulder, kShoulder, kSpur, kSlope, kSlope},
    {kRidge, kRidge, kSpur, kSpur},
    {kRidge, kRidge, kRidge},
    {kRidge, kRidge},
    {kPeak}};

// Returns 1 if ground in the direction is above the vertex, -1 if it is below, 0 if it is level.
int SideOf(const Grid<double>& ground_m, double cell_size_m, int x, int y, const Step& step) {
  const double here = ground_m.At(x, y);
  double highest = -1e30;
  double lowest = 1e30;
  for (int n = 1; n * step.length <= kLandformSearchCells; ++n) {
    const double rise = ground_m.At(x + n * step.dx, y + n * step.dy) - here;
    const double tangent = rise / (n * step.length * cell_size_m);
    highest = std::max(highest, tangent);
    lowest = std::min(lowest, tangent);
  }
  const double flat = std::tan(kLandformFlatDeg * std::numbers::pi / 180);
  if (std::abs(highest) <= flat && std::abs(lowest) <= flat) return 0;
  // If their sum is above 0, the highest line is farther from level than the lowest.
  const double sum = highest + lowest;
  return sum > 0 ? 1 : (sum < 0 ? -1 : 0);
}

// Returns the extreme of each run of `window` values, with a queue of the candidates.
template <typename Before>
std::vector<double> SlidingExtremes(const std::vector<double>& values, std::size_t window,
                                    const Before& before) {
  std::vector<double> extremes;
  std::deque<std::size_t> queue;
  for (std::size_t i = 0; i < values.size(); ++i) {
    while (!queue.empty() && !before(values[queue.back()], values[i])) queue.pop_back();
    queue.push_back(i);
    if (queue.front() + window <= i) queue.pop_front();
    if (i + 1 >= window) extremes.push_back(values[queue.front()]);
  }
  return extremes;
}

// Returns the extreme of each square of window x window vertices in the grid.
template <typename Before>
Grid<double> Extremes(const Grid<double>& grid, int window, const Before& before) {
  const auto size = static_cast<std::size_t>(window);
  Grid<double> rows{grid.width - window + 1, grid.height, {}};
  for (int y = 0; y < grid.height; ++y) {
    const auto first = grid.values.begin() + static_cast<std::ptrdiff_t>(grid.Index(0, y));
    const std::vector<double> row =
        SlidingExtremes(std::vector<double>(first, first + grid.width), size, before);
    rows.values.insert(rows.values.end(), row.begin(), row.end());
  }
  Grid<double> squares = FilledGrid(rows.width, grid.height - window + 1, 0.0);
  std::vector<double> column(static_cast<std::size_t>(grid.height));
  for (int x = 0; x < rows.width; ++x) {
    for (int y = 0; y < grid.height; ++y) column[static_cast<std::size_t>(y)] = rows.At(x, y);
    const std::vector<double> found = SlidingExtremes(column, size, before);
    for (int y = 0; y < squares.height; ++y) {
      squares.At(x, y) = found[static_cast<std::size_t>(y)];
    }
  }
  return squares;
}

double Degrees(double gradient) { return std::atan(gradient) * 180 / std::numbers::pi; }

// Calls visit(east, south) with the rise of the ground over its run at each vertex but the edge's,
// by central differences.
template <typename Visit>
void ForEachGradient(const Grid<double>& ground_m, double cell_size_m, const Visit& visit) {
  for (int y = 1; y + 1 < ground_m.height; ++y) {
    for (int x = 1; x + 1 < ground_m.width; ++x) {
      visit((ground_m.At(x + 1, y) - ground_m.At(x - 1, y)) / (2 * cell_size_m),
            (ground_m.At(x, y + 1) - ground_m.At(x, y - 1)) / (2 * cell_size_m));
    }
  }
}

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

std::optional<Curvature> MeasureCurvature(const Grid<double>& ground_m) {
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
  double fourth = 0;
  for (const double curvature : curvatures) {
    const double off = curvature - mean;
    square += off * off / count;
    cube += off * off * off / count;
    fourth += off * off * off * off / count;
  }
  // Below the rounding error of a plane, there is no curvature.
  constexpr double kNoise = 1e-16;
  if (square <= kNoise) return std::nullopt;
  return Curvature{cube / std::pow(square, 1.5), fourth / (square * square)};
}

std::optional<AspectShares> MeasureAspects(const Grid<double>& ground_m, double cell_size_m) {
  constexpr double kTurn = std::numbers::pi / 4;
  AspectShares shares{};
  double count = 0;
  ForEachGradient(ground_m, cell_size_m, [&](double east, double south) {
    if (std::hypot(east, south) <= kAspectGradient) return;
    const double aspect = std::fmod(std::atan2(south, east) + 8 * kTurn, kTurn);
    const double bin = aspect / kTurn * static_cast<double>(shares.size());
    shares[std::min(static_cast<std::size_t>(bin), shares.size() - 1)] += 1;
    count += 1;
  });
  if (count == 0) return std::nullopt;
  for (double& share : shares) share *= static_cast<double>(shares.size()) / count;
  return shares;
}

LandformShares MeasureLandforms(const Grid<double>& ground_m, double cell_size_m) {
  LandformShares shares{};
  double count = 0;
  for (int y = kLandformSearchCells; y < ground_m.height - kLandformSearchCells; ++y) {
    for (int x = kLandformSearchCells; x < ground_m.width - kLandformSearchCells; ++x) {
      int above = 0;
      int below = 0;
      for (const Step& step : kSteps) {
        const int side = SideOf(ground_m, cell_size_m, x, y, step);
        above += side > 0 ? 1 : 0;
        below += side < 0 ? 1 : 0;
      }
      shares[kForms[below][above]] += 1;
      count += 1;
    }
  }
  for (double& share : shares) share /= std::max(count, 1.0);
  return shares;
}

std::optional<double> MedianRelief(const Grid<double>& ground_m, double cell_size_m) {
  const int window = std::max(3, static_cast<int>(std::lround(kReliefSideM / cell_size_m)));
  if (window > std::min(ground_m.width, ground_m.height)) return std::nullopt;
  const Grid<double> highest = Extremes(ground_m, window, std::greater<>());
  std::vector<double> relief = highest.values;
  const Grid<double> lowest = Extremes(ground_m, window, std::less<>());
  for (std::size_t i = 0; i < relief.size(); ++i) relief[i] -= lowest.values[i];
  const auto middle = relief.begin() + static_cast<std::ptrdiff_t>(relief.size() / 2);
  std::nth_element(relief.begin(), middle, relief.end());
  return *middle;
}

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
    }
  }
  ForEachGradient(ground_m, cell_size_m,
                  [&](double east, double south) { gradients.push_back(std::hypot(east, south)); });
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

Hypsometry MeasureHypsometry(const Grid<double>& ground_m) {
  const auto& heights = ground_m.values;
  const auto [min, max] = std::minmax_element(heights.begin(), heights.end());
  const double sum = std::accumulate(heights.begin(), heights.end(), 0.0);
  Hypsometry hypsometry{*min, *max, sum / static_cast<double>(heights.size()), std::nullopt};
  if (*max > *min) hypsometry.integral = (hypsometry.mean_m - *min) / (*max - *min);
  return hypsometry;
}

}  // namespace thalweg::survey
