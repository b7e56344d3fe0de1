#include "client/survey/drainage.h"

#include <algorithm>
#include <cstdlib>
#include <numbers>

#include "client/survey/neighbours.h"

namespace thalweg::survey {
namespace {

// Returns an inner cell's neighbour of steepest descent; kOutlet if no neighbour is lower.
std::int32_t SteepestDescent(const Grid<double>& surface_m, int x, int y) {
  const auto cell = static_cast<std::int32_t>(surface_m.Index(x, y));
  const double level = surface_m.At(x, y);
  double steepest = 0;
  std::int32_t receiver = kOutlet;
  for (const Step& step : kSteps) {
    const double slope = (level - surface_m.At(x + step.dx, y + step.dy)) / step.length;
    if (slope <= steepest) continue;
    steepest = slope;
    receiver = cell + Offset(step, surface_m.width);
  }
  return receiver;
}

}  // namespace

double Drainage::StepLength(std::int32_t cell) const {
  const std::int32_t apart = std::abs(receiver[static_cast<std::size_t>(cell)] - cell);
  return apart == 1 || apart == width ? 1 : std::numbers::sqrt2;
}

Drainage RouteDrainage(const Flood& flood) {
  const Grid<double>& surface_m = flood.surface_m;
  Drainage drainage{surface_m.width, surface_m.height, flood.source, flood.order, {}, {}};
  for (int y = 1; y + 1 < surface_m.height; ++y) {
    for (int x = 1; x + 1 < surface_m.width; ++x) {
      const std::size_t cell = surface_m.Index(x, y);
      if (flood.source[cell] == kOutlet) continue;
      const std::int32_t lower = SteepestDescent(surface_m, x, y);
      if (lower != kOutlet) drainage.receiver[cell] = lower;
    }
  }
  Accumulate(drainage);
  return drainage;
}

void Accumulate(Drainage& drainage) {
  drainage.area.assign(drainage.receiver.size(), 1);
  drainage.length.assign(drainage.receiver.size(), 0);
  for (std::size_t i = drainage.order.size(); i-- > 0;) {
    const std::int32_t cell = drainage.order[i];
    const auto from = static_cast<std::size_t>(cell);
    if (drainage.receiver[from] == kOutlet) continue;
    const auto to = static_cast<std::size_t>(drainage.receiver[from]);
    drainage.area[to] += drainage.area[from];
    drainage.length[to] =
        std::max(drainage.length[to], drainage.length[from] + drainage.StepLength(cell));
  }
}

}  // namespace thalweg::survey
