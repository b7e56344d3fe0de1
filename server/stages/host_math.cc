#include "server/stages/host_math.h"

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

float KernelFloat(double value) {
  if (value > -kSmallestKernelFloat && value < kSmallestKernelFloat) return 0.0f;
  return static_cast<float>(value);
}

int RoundedInt(double value) { return static_cast<int>(std::floor(value + 0.5)); }

}  // namespace thalweg::stages
