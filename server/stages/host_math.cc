#include "server/stages/host_math.h"

#include <algorithm>
#include <cmath>

namespace thalweg::stages {
namespace {

constexpr double kRadiansPerDegree = 0.017453292519943295;
// Enough terms: at 85 degrees each term of Lambert's fraction adds more than one digit.
constexpr int kTangentTerms = 24;
constexpr double kSmallestKernelFloat = 1e-15;

}  // namespace

// The tangent of x is x / (1 - x^2 / (3 - x^2 / (5 - ...))) (Lambert 1768).
double TangentOfDegrees(double degrees) {
  const double x = degrees * kRadiansPerDegree;
  const double square = x * x;
  double fraction = 2.0 * kTangentTerms + 1.0;
  for (int term = kTangentTerms - 1; term >= 0; --term) {
    fraction = (2.0 * term + 1.0) - square / fraction;
  }
  return x / fraction;
}

Heading HeadingOf(double degrees) {
  // Within a quadrant; then turned by whole quadrants.
  const int quadrant = std::min(static_cast<int>(degrees / 90), 3);
  const double half_tangent = TangentOfDegrees((degrees - 90.0 * quadrant) / 2);
  const double square = half_tangent * half_tangent;
  const double along = (1 - square) / (1 + square);
  const double beside = 2 * half_tangent / (1 + square);
  switch (quadrant) {
    case 0:
      return {beside, -along};
    case 1:
      return {along, beside};
    case 2:
      return {-beside, along};
    default:
      return {-along, -beside};
  }
}

float KernelFloat(double value) {
  if (value > -kSmallestKernelFloat && value < kSmallestKernelFloat) return 0.0f;
  return static_cast<float>(value);
}

int RoundedInt(double value) { return static_cast<int>(std::floor(value + 0.5)); }

int HeldThickness(double units) { return RoundedInt(std::min(units, std::ldexp(1.0, 30))); }

}  // namespace thalweg::stages
