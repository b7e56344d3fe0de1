#include "server/geographic/octahedral.h"

#include <cmath>

namespace thalweg::geographic {

std::array<std::uint8_t, 2> OctahedralOf(const sphere::Point& unit) {
  const double span = std::abs(unit.x) + std::abs(unit.y) + std::abs(unit.z);
  double u = unit.x / span;
  double v = unit.y / span;
  if (unit.z < 0) {
    const double upper_u = u;
    u = std::copysign(1 - std::abs(v), upper_u);
    v = std::copysign(1 - std::abs(upper_u), v);
  }
  const auto byte = [](double from_minus_1) {
    return static_cast<std::uint8_t>(std::floor((from_minus_1 * 0.5 + 0.5) * 255 + 0.5));
  };
  return {byte(u), byte(v)};
}

}  // namespace thalweg::geographic
