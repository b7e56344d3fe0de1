#include "server/tiles3d/space_lattice.h"

#include <cmath>

namespace thalweg::tiles3d {

double StepM(const geographic::Ellipsoid& ellipsoid, int level) {
  constexpr double kMaxDiagonal = 2.438'654'594'434'021;
  const double half_m = std::ldexp(ellipsoid.equatorial_m * kMaxDiagonal / 2, -level);
  return std::exp2(std::ceil(std::log2(half_m / static_cast<double>(kMaxSteps))));
}

LatticePoint OnLattice(const sphere::Point& point, double step_m) {
  const auto steps = [step_m](double metres) { return std::llround(metres / step_m); };
  return {steps(point.x), steps(point.y), steps(point.z)};
}

sphere::Point PointOf(const LatticePoint& point, double step_m) {
  const auto metres = [step_m](std::int64_t steps) { return static_cast<double>(steps) * step_m; };
  return {metres(point[0]), metres(point[1]), metres(point[2])};
}

}  // namespace thalweg::tiles3d
