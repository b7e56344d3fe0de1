#include "server/tile/gradient.h"

#include <cmath>
#include <limits>

namespace thalweg::tile {
namespace {

constexpr double kTangentUnits = 65536.0;
constexpr double kComponentUnits = 32767.0;
constexpr std::int32_t kLatticeStep = 128;
constexpr double kMaxLatticeSteps = 255.0;

// A component as 16 bits, rounded to a multiple of the step.
std::uint32_t Component(double part, double length, std::int32_t step, double max) {
  const double steps = std::floor(part / length * (kComponentUnits / step) + 0.5);
  const double kept = steps < -max ? -max : steps > max ? max : steps;
  return static_cast<std::uint16_t>(static_cast<std::int32_t>(kept) * step);
}

std::int32_t Packed(const Rise& rise, double run, std::int32_t step, double max) {
  const double length = std::sqrt(rise.east * rise.east + rise.south * rise.south + run * run);
  return static_cast<std::int32_t>(Component(-rise.east, length, step, max) |
                                   Component(-rise.south, length, step, max) << 16);
}

}  // namespace

std::int32_t SlopeOf(const Rise& rise, double run) {
  constexpr double kMax = std::numeric_limits<std::int32_t>::max();
  const double tangent = std::sqrt(rise.east * rise.east + rise.south * rise.south) / run;
  const double units = std::floor(tangent * kTangentUnits + 0.5);
  return static_cast<std::int32_t>(units < kMax ? units : kMax);
}

std::int32_t NormalOf(const Rise& rise, double run) {
  return Packed(rise, run, 1, kComponentUnits);
}

std::int32_t RoundedNormalOf(const Rise& rise, double run) {
  return Packed(rise, run, kLatticeStep, kMaxLatticeSteps);
}

}  // namespace thalweg::tile
