#include "client/survey/geomorphons.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "client/survey/neighbours.h"

namespace thalweg::survey {
namespace {

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

}  // namespace

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

}  // namespace thalweg::survey
