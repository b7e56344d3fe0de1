#include "server/tile/shore.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace thalweg::tile {
namespace {

constexpr std::uint32_t kNoShore = 0x80008000U;
constexpr double kDistanceUnits = 256.0;
constexpr std::int32_t kTurn = 65536;
constexpr double kUnitsPerRadian = 10430.378350470453;  // 65,536 / (2 pi)

// The offset in cells to the vertex beyond the shore; both are 0 if no shore was found.
struct Offset {
  std::int32_t east = 0;
  std::int32_t south = 0;

  bool IsKnown() const { return east != 0 || south != 0; }
};

Offset Unpack(std::int32_t packed) {
  const auto bits = static_cast<std::uint32_t>(packed);
  if (bits == kNoShore) return {};
  return {static_cast<std::int16_t>(bits & 0xFFFFU), static_cast<std::int16_t>(bits >> 16)};
}

// The arc tangent, for t from 0 to 1, in radians, to 1e-5 (Abramowitz and Stegun 1964, 4.4.49).
double ArcTangent(double t) {
  const double s = t * t;
  return t * (0.9998660 + s * (-0.3302995 + s * (0.1801410 + s * (-0.0851330 + s * 0.0208351))));
}

}  // namespace

std::int32_t ShoreDistance(std::int32_t packed, bool under_water) {
  const Offset offset = Unpack(packed);
  std::int32_t distance = kFarthestShore;
  if (offset.IsKnown()) {
    const double east = offset.east;
    const double south = offset.south;
    const double units = std::sqrt(east * east + south * south) * kDistanceUnits;
    distance = static_cast<std::int32_t>(std::min<double>(std::floor(units + 0.5), kFarthestShore));
  }
  return under_water ? -distance : distance;
}

std::int32_t ShoreDirection(std::int32_t packed) {
  const Offset offset = Unpack(packed);
  if (!offset.IsKnown()) return 0;
  const std::int32_t across = std::abs(offset.east);
  const std::int32_t along = std::abs(offset.south);
  const double tangent = static_cast<double>(std::min(across, along)) / std::max(across, along);
  auto angle = static_cast<std::int32_t>(std::floor(ArcTangent(tangent) * kUnitsPerRadian + 0.5));
  // The angle is in the first octant; this moves it to the octant of the offset.
  if (along > across) angle = kTurn / 4 - angle;
  if (offset.east < 0) angle = kTurn / 2 - angle;
  if (offset.south < 0) angle = kTurn - angle;
  return angle % kTurn;
}

}  // namespace thalweg::tile
