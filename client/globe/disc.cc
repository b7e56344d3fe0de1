#include "client/globe/disc.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "thalweg/planet.h"
#include "thalweg/tile.h"

namespace thalweg::globe {
namespace {

sphere::Point FromSpace(const SpaceVector& v) { return {v.x, v.y, v.z}; }

sphere::Point Sum(double a, const sphere::Point& p, double b, const sphere::Point& q, double c,
                  const sphere::Point& r) {
  return {a * p.x + b * q.x + c * r.x, a * p.y + b * q.y + c * r.y, a * p.z + b * q.z + c * r.z};
}

}  // namespace

std::vector<DiscPoint> Disc::Points() const {
  const SpaceVector towards = SpacePointOf(middle, 1);
  const Compass compass = CompassAt(towards);
  const sphere::Point sight = FromSpace(compass.up);
  const sphere::Point east = FromSpace(compass.east);
  const sphere::Point north = FromSpace(compass.north);
  std::vector<DiscPoint> points;
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const double right = (x + 0.5 - 0.5 * size) / Radius();
      const double up = (0.5 * size - y - 0.5) / Radius();
      const double from_middle = std::hypot(right, up);
      const double share = (1 - from_middle) * Radius() + 0.5;
      if (share <= 0) continue;
      // A pixel with its middle beyond the edge shows the edge.
      const double scale = from_middle < 1 ? 1 : (1 - 1e-9) / from_middle;
      const double a = right * scale;
      const double b = up * scale;
      const double facing = std::sqrt(std::max(1 - a * a - b * b, 0.0));
      // The rotation from the line of sight to the point also rotates the picture's directions.
      const double turn = 1 / (1 + facing);
      points.push_back({.x = x,
                        .y = y,
                        .at = Sum(a, east, b, north, facing, sight),
                        .right = Sum(1 - a * a * turn, east, -a * b * turn, north, -a, sight),
                        .up = Sum(-a * b * turn, east, 1 - b * b * turn, north, -b, sight),
                        .facing = facing,
                        .share = static_cast<float>(std::min(share, 1.0))});
    }
  }
  return points;
}

int LevelOf(const Disc& disc) {
  const double pixels = disc.Radius() * std::numbers::pi / 2;
  return std::max(static_cast<int>(std::ceil(std::log2(pixels / kTileCells))), 0);
}

}  // namespace thalweg::globe
