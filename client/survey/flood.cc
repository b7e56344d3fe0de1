#include "client/survey/flood.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "client/survey/neighbours.h"

namespace thalweg::survey {
namespace {

struct Front {
  double level;
  std::uint32_t turn;
  std::int32_t x;
  std::int32_t y;
};

struct FloodedLater {
  bool operator()(const Front& a, const Front& b) const {
    return a.level != b.level ? a.level > b.level : a.turn > b.turn;
  }
};

}  // namespace

Flood FloodFromOutlets(Grid<double> ground_m, std::optional<double> sea_level_m,
                       std::span<const std::int32_t> sinks, std::vector<std::uint8_t> walls) {
  const int width = ground_m.width;
  const int height = ground_m.height;
  const std::size_t cells = ground_m.values.size();
  Flood flood{std::move(ground_m), std::vector<std::int32_t>(cells, kOutlet), {}};
  flood.order.reserve(cells);
  // Of cells that the flood has not reached, it is the ground.
  Grid<double>& surface_m = flood.surface_m;
  std::vector<std::uint8_t> reached = std::move(walls);
  reached.resize(cells, 0);
  std::vector<std::uint8_t> sinks_here(cells, 0);
  for (const std::int32_t sink : sinks) sinks_here[static_cast<std::size_t>(sink)] = 1;
  std::vector<Front> outlets;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if (reached[surface_m.Index(x, y)] != 0) continue;
      const double level = surface_m.At(x, y);
      const bool is_sink = sinks_here[surface_m.Index(x, y)] != 0;
      if (!is_sink && !surface_m.IsEdge(x, y) && !(sea_level_m && level < *sea_level_m)) continue;
      outlets.push_back({level, static_cast<std::uint32_t>(outlets.size()), x, y});
      reached[surface_m.Index(x, y)] = 1;
    }
  }
  auto turn = static_cast<std::uint32_t>(outlets.size());
  std::priority_queue front(FloodedLater(), std::move(outlets));
  while (!front.empty()) {
    const Front cell = front.top();
    front.pop();
    const auto index = static_cast<std::int32_t>(surface_m.Index(cell.x, cell.y));
    flood.order.push_back(index);
    for (const Step& step : kSteps) {
      const int x = cell.x + step.dx;
      const int y = cell.y + step.dy;
      if (!surface_m.Contains(x, y)) continue;
      const std::size_t neighbour = surface_m.Index(x, y);
      if (reached[neighbour] != 0) continue;
      reached[neighbour] = 1;
      const double level = std::max(surface_m.values[neighbour], cell.level);
      surface_m.values[neighbour] = level;
      flood.source[neighbour] = index;
      front.push({level, turn++, x, y});
    }
  }
  return flood;
}

}  // namespace thalweg::survey
