#include "server/geographic/height_lattice.h"

#include <algorithm>
#include <cmath>

#include "server/geographic/quantized_mesh.h"

namespace thalweg::geographic {
namespace {

// The min step of a range, so that flat tiles have a range of a metre: clients divide by it.
constexpr double kMinStepM = 1.0 / 32'768;

// Whether floats hold both ends of a range with this step exactly.
bool IsExact(double min_m, double step_m) {
  const double max_m = min_m + kQuantizedMax * step_m;
  return static_cast<double>(static_cast<float>(max_m)) == max_m &&
         static_cast<double>(static_cast<float>(min_m)) == min_m;
}

}  // namespace

double HeightStepM(double error_m) {
  return std::clamp(std::exp2(std::floor(std::log2(error_m / 4))), std::exp2(-8), 1.0);
}

double OnLatticeM(std::int32_t height, double step_m) {
  return std::floor(std::ldexp(height, -16) / step_m + 0.5) * step_m;
}

HeightRange RangeOf(double min_m, double max_m, double lattice_step_m) {
  double step_m = lattice_step_m;
  while (kQuantizedMax * step_m < max_m - min_m) step_m *= 2;
  while (step_m > kMinStepM && kQuantizedMax * step_m / 2 >= max_m - min_m &&
         IsExact(min_m, step_m / 2)) {
    step_m /= 2;
  }
  return {static_cast<float>(min_m), static_cast<float>(min_m + kQuantizedMax * step_m), step_m};
}

}  // namespace thalweg::geographic
