#include "client/tools/survey/survey.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "client/tools/survey/spectrum.h"

namespace thalweg::survey {
namespace {

std::optional<double> Mean(const std::optional<Grid<double>>& grid) {
  if (!grid) return std::nullopt;
  return std::accumulate(grid->values.begin(), grid->values.end(), 0.0) /
         static_cast<double>(grid->values.size());
}

void MeasureWater(const Terrain& terrain, Report& report) {
  const Grid<double>& ground_m = terrain.ground_m;
  const Grid<double>* layer = terrain.water_m ? &*terrain.water_m : nullptr;
  const Grid<double> water_m = StandingWater(ground_m, layer, terrain.sea_level_m);
  const Flood flood = FloodFromOutlets(ground_m, terrain.sea_level_m);
  report.pits = PitShare(ground_m, water_m);
  report.depressions = DepressionShare(ground_m, water_m, flood);
  report.wet_share = WetShare(ground_m, water_m);
  if (layer != nullptr) report.lakes = MeasureLakes(ground_m, *layer, terrain.sea_level_m);

  const Drainage drainage = RouteDrainage(flood);
  report.concavity = Concavity(ground_m, water_m, flood, drainage);
  report.hack_exponent = HackExponent(drainage, kChannelArea);
  report.sinuosity = Sinuosity(drainage);
  report.horton = FitHortonRatios(StrahlerOrders(drainage, kChannelArea));
}

}  // namespace

SharedVertices ShareWithParent(std::int64_t first, int count) {
  const int offset = static_cast<int>(first & 1);
  // Shifts round down. An odd first vertex has the first shared vertex east of it.
  return {.first = (first >> 1) + offset, .count = (count - offset + 1) / 2, .offset = offset};
}

std::vector<double> SubtractParent(const Grid<double>& child_m, const Grid<double>& parent_m,
                                   int offset_x, int offset_y) {
  std::vector<double> apart_m;
  apart_m.reserve(parent_m.values.size());
  for (int y = 0; y < parent_m.height; ++y) {
    for (int x = 0; x < parent_m.width; ++x) {
      apart_m.push_back(child_m.At(2 * x + offset_x, 2 * y + offset_y) - parent_m.At(x, y));
    }
  }
  return apart_m;
}

ParentDifference DifferenceOf(std::span<const double> child_minus_parent_m) {
  ParentDifference difference;
  double squares = 0;
  for (const double apart : child_minus_parent_m) {
    difference.mean_m += apart;
    squares += apart * apart;
    difference.max_m = std::max(difference.max_m, std::abs(apart));
  }
  const auto count = static_cast<double>(child_minus_parent_m.size());
  difference.mean_m /= count;
  difference.rms_m = std::sqrt(squares / count);
  return difference;
}

Report Measure(const Terrain& terrain) {
  Report report;
  report.hypsometry = MeasureHypsometry(terrain.ground_m);
  report.slopes = MeasureSlopes(terrain.ground_m, terrain.cell_size_m, terrain.talus_deg);
  MeasureWater(terrain, report);
  const Spectrum spectrum(terrain.ground_m);
  report.spectral_slope = spectrum.Slope();
  report.directional_power = spectrum.DirectionalPower();
  const double unit = terrain.wave_unit_m.value_or(terrain.cell_size_m) / terrain.cell_size_m;
  report.short_sectors = spectrum.Sectors(3 * unit, 6 * unit);
  report.long_sectors = spectrum.Sectors(6 * unit, 12 * unit);
  report.median_relief_m = MedianRelief(terrain.ground_m, terrain.cell_size_m);
  report.curvature = MeasureCurvature(terrain.ground_m);
  report.aspects = MeasureAspects(terrain.ground_m, terrain.cell_size_m);
  report.landforms = MeasureLandforms(terrain.ground_m, terrain.cell_size_m);
  report.parent_difference = terrain.parent_difference;
  if (terrain.parent_difference) {
    report.mass_balance.height_change_m = terrain.parent_difference->mean_m;
  }
  report.mass_balance.wash_load_m = Mean(terrain.wash_load_m);
  report.mass_balance.uplift_m = Mean(terrain.uplift_m);
  return report;
}

}  // namespace thalweg::survey
