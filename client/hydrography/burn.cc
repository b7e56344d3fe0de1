#include "client/hydrography/burn.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "client/survey/deep_pits.h"

namespace thalweg::hydrography {

survey::Grid<double> BurnRivers(const Waters& waters, const Lakes& lakes, double min_flow_cells) {
  const std::vector<std::int32_t>& flow_q8 = waters.flow_q8.values;
  std::vector<std::int32_t> lake_flow_q8;
  for (const Lake& lake : lakes.lakes) {
    std::int32_t largest = 0;
    for (const std::int32_t vertex : lake.vertices) {
      largest = std::max(largest, flow_q8[static_cast<std::size_t>(vertex)]);
    }
    lake_flow_q8.push_back(largest);
  }
  const auto flow_cells = [&](std::size_t vertex) {
    const std::int32_t lake = lakes.lake_of.values[vertex];
    const std::int32_t flow =
        lake == kNoLake ? flow_q8[vertex] : lake_flow_q8[static_cast<std::size_t>(lake)];
    return std::max(flow, 0) / 256.0;
  };
  const auto depth = [&](double flow) { return waters.cell_m * std::log2(1 + flow); };
  survey::Grid<double> burned =
      survey::FilledGrid(waters.height_q16.width, waters.height_q16.height, 0.0);
  for (std::size_t vertex = 0; vertex < burned.values.size(); ++vertex) {
    const double ground_m = Waters::Metres(waters.height_q16.values[vertex]);
    const bool is_sea = waters.sea_level_m && lakes.lake_of.values[vertex] == kNoLake &&
                        ground_m < *waters.sea_level_m;
    burned.values[vertex] =
        is_sea ? kBurnedOutlet : waters.SurfaceM(vertex) - depth(flow_cells(vertex));
  }
  const std::vector<std::int32_t> pits =
      survey::DeepPits(burned, kBurnedOutlet, depth(min_flow_cells) / 2);
  for (const std::int32_t pit : pits) {
    const auto vertex = static_cast<std::size_t>(pit);
    if (flow_cells(vertex) >= min_flow_cells) burned.values[vertex] = kBurnedOutlet;
  }
  return burned;
}

}  // namespace thalweg::hydrography
