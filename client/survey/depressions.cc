#include "client/survey/depressions.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "client/survey/neighbours.h"
#include "client/survey/region.h"

namespace thalweg::survey {
namespace {

double Share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Returns the range of the water's level in this cell's lake. Removes the lake's cells from `wet`.
double TakeLake(const Grid<double>& water_m, std::size_t first, std::vector<std::uint8_t>& wet) {
  wet[first] = 0;
  const std::vector<std::size_t> lake =
      RegionOf(water_m.width, water_m.height, first, [&wet](std::size_t cell) {
        const bool is_wet = wet[cell] != 0;
        wet[cell] = 0;
        return is_wet;
      });
  const auto [min, max] =
      std::ranges::minmax(lake, {}, [&water_m](std::size_t cell) { return water_m.values[cell]; });
  return water_m.values[max] - water_m.values[min];
}

}  // namespace

Grid<double> StandingWater(const Grid<double>& ground_m, const Grid<double>* water_m,
                           std::optional<double> sea_level_m) {
  Grid<double> surface = ground_m;
  for (std::size_t i = 0; i < surface.values.size(); ++i) {
    double& level = surface.values[i];
    if (water_m != nullptr) level = std::max(level, water_m->values[i]);
    if (sea_level_m) level = std::max(level, *sea_level_m);
  }
  return surface;
}

CellShare PitShare(const Grid<double>& ground_m, const Grid<double>& water_m) {
  std::size_t pits = 0;
  std::size_t dry = 0;
  for (int y = 1; y + 1 < ground_m.height; ++y) {
    for (int x = 1; x + 1 < ground_m.width; ++x) {
      const double level = ground_m.At(x, y);
      const bool is_pit = std::all_of(kSteps.begin(), kSteps.end(), [&](const Step& step) {
        return level < ground_m.At(x + step.dx, y + step.dy);
      });
      if (!is_pit) continue;
      ++pits;
      if (water_m.At(x, y) <= level) ++dry;
    }
  }
  const auto inner_columns = static_cast<std::size_t>(std::max(ground_m.width - 2, 0));
  const auto inner_rows = static_cast<std::size_t>(std::max(ground_m.height - 2, 0));
  return {Share(pits, inner_columns * inner_rows), Share(dry, inner_columns * inner_rows)};
}

CellShare DepressionShare(const Grid<double>& ground_m, const Grid<double>& water_m,
                          const Flood& flood) {
  std::size_t filled = 0;
  std::size_t dry = 0;
  for (std::size_t i = 0; i < ground_m.values.size(); ++i) {
    if (flood.surface_m.values[i] <= ground_m.values[i]) continue;
    ++filled;
    if (water_m.values[i] <= ground_m.values[i]) ++dry;
  }
  return {Share(filled, ground_m.values.size()), Share(dry, ground_m.values.size())};
}

double WetShare(const Grid<double>& ground_m, const Grid<double>& water_m) {
  std::size_t wet = 0;
  for (std::size_t i = 0; i < ground_m.values.size(); ++i) {
    if (water_m.values[i] > ground_m.values[i]) ++wet;
  }
  return Share(wet, ground_m.values.size());
}

Lakes MeasureLakes(const Grid<double>& ground_m, const Grid<double>& water_m,
                   std::optional<double> sea_level_m) {
  // Half a height unit: heights are rounded to their unit, the sea's level is not.
  constexpr double kHalfUnitM = 0.5 / 65536;
  std::vector<std::uint8_t> wet(ground_m.values.size());
  for (std::size_t i = 0; i < wet.size(); ++i) {
    const double level = water_m.values[i];
    const bool is_sea = sea_level_m && level <= *sea_level_m + kHalfUnitM;
    wet[i] = level > ground_m.values[i] && !is_sea ? 1 : 0;
  }
  Lakes lakes;
  for (std::size_t i = 0; i < wet.size(); ++i) {
    if (wet[i] == 0) continue;
    ++lakes.count;
    lakes.largest_spread_m = std::max(lakes.largest_spread_m, TakeLake(water_m, i, wet));
  }
  return lakes;
}

}  // namespace thalweg::survey
