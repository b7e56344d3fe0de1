#include "client/survey/slope_area.h"

#include <vector>

#include "client/survey/fit.h"
#include "client/survey/log_bins.h"

namespace thalweg::survey {
namespace {

constexpr int kBinsPerAreaDecade = 5;
constexpr int kMinCells = 20;
constexpr std::size_t kMinBins = 3;

}  // namespace

std::optional<double> Concavity(const Grid<double>& ground_m, const Grid<double>& water_m,
                                const Flood& flood, const Drainage& drainage) {
  const auto is_bare = [&](std::size_t cell) {
    return water_m.values[cell] <= ground_m.values[cell] &&
           flood.surface_m.values[cell] <= ground_m.values[cell];
  };
  std::vector<double> areas;
  std::vector<double> slopes;
  for (const std::int32_t cell : drainage.order) {
    const auto from = static_cast<std::size_t>(cell);
    if (drainage.receiver[from] == kOutlet || drainage.area[from] < kChannelArea) continue;
    const auto to = static_cast<std::size_t>(drainage.receiver[from]);
    if (!is_bare(from) || !is_bare(to)) continue;
    const double drop = ground_m.values[from] - ground_m.values[to];
    // Skips ground that is as flat as the filled surface around it.
    if (drop <= 0) continue;
    areas.push_back(drainage.area[from]);
    slopes.push_back(drop / drainage.StepLength(cell));
  }
  const LogBins bins = MeanOverLogBins(areas, slopes, kChannelArea, kBinsPerAreaDecade, kMinCells);
  if (bins.log_x.size() < kMinBins) return std::nullopt;
  const std::optional<double> slope = FitSlope(bins.log_x, bins.log_y);
  if (!slope) return std::nullopt;
  return -*slope;
}

}  // namespace thalweg::survey
