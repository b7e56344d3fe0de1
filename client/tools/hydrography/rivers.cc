#include "client/tools/hydrography/rivers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "client/tools/survey/depressions.h"
#include "client/tools/survey/grid.h"
#include "client/tools/survey/streams.h"

namespace thalweg::hydrography {
namespace {

// Corrects a network of river cells.

constexpr int kMaxDryCells = 8;
constexpr std::size_t kSpurCells = 3;

// Returns how many river cells drain directly into each cell, up to eight.
std::vector<std::uint8_t> CountDonors(const survey::Drainage& drainage,
                                      const std::vector<std::uint8_t>& is_river) {
  std::vector<std::uint8_t> donors(drainage.receiver.size(), 0);
  for (std::size_t cell = 0; cell < donors.size(); ++cell) {
    const std::int32_t receiver = drainage.receiver[cell];
    if (is_river[cell] != 0 && receiver != survey::kOutlet) {
      ++donors[static_cast<std::size_t>(receiver)];
    }
  }
  return donors;
}

// Adds the cells through which a river reaches another river across a lake, or over a few cells of
// less flow. `is_river` has one value for each cell.
void BridgeGaps(const survey::Drainage& drainage, const Lakes& lakes,
                std::vector<std::uint8_t>& is_river) {
  std::vector<std::size_t> gap;
  // From the sources down, so that no gap is visited twice.
  for (std::size_t i = drainage.order.size(); i-- > 0;) {
    auto cell = static_cast<std::size_t>(drainage.order[i]);
    if (is_river[cell] == 0) continue;
    gap.clear();
    int dry = 0;
    while (drainage.receiver[cell] != survey::kOutlet && dry <= kMaxDryCells) {
      cell = static_cast<std::size_t>(drainage.receiver[cell]);
      if (is_river[cell] != 0 || drainage.receiver[cell] == survey::kOutlet) break;
      if (lakes.lake_of.values[cell] == kNoLake) ++dry;
      gap.push_back(cell);
    }
    if (is_river[cell] == 0) continue;
    for (const std::size_t between : gap) is_river[between] = 1;
  }
}

// Removes branches that join a river, or end, within three cells of their source: these are the
// sides of wide rivers. All river cells must have receivers.
void PruneSpurs(const survey::Drainage& drainage, std::vector<std::uint8_t>& is_river) {
  std::vector<std::uint8_t> donors = CountDonors(drainage, is_river);
  std::vector<std::size_t> spur;
  for (std::size_t i = drainage.order.size(); i-- > 0;) {
    auto cell = static_cast<std::size_t>(drainage.order[i]);
    if (is_river[cell] == 0 || donors[cell] != 0) continue;
    spur.clear();
    while (is_river[cell] != 0 && donors[cell] <= 1 && spur.size() <= kSpurCells) {
      spur.push_back(cell);
      cell = static_cast<std::size_t>(drainage.receiver[cell]);
    }
    const bool ends = drainage.receiver[cell] == survey::kOutlet;
    if (spur.size() > kSpurCells || (!ends && donors[cell] < 2)) continue;
    for (const std::size_t gone : spur) is_river[gone] = 0;
    --donors[cell];
  }
}

// Cuts rivers into ground, so that routed water follows the world's rivers.

// The height of vertices where water leaves: lower than any ground.
inline constexpr double kBurnedOutlet = -1e9;

// Returns the water's surface in metres, lowered by one cell for every doubling of the flow
// ("stream burning", Saunders 1999). Each lake has its largest flow everywhere. Ground under the
// sea is kBurnedOutlet. So are inland ends of rivers: pits that are deeper than half the cut of a
// river of `min_flow_cells`.
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

using survey::Drainage;
using survey::kOutlet;

Drainage Route(const Waters& waters, const Lakes& lakes, double min_flow_cells) {
  const survey::Flood flood =
      survey::FloodFromOutlets(BurnRivers(waters, lakes, min_flow_cells), kBurnedOutlet / 2);
  return survey::RouteDrainage(flood);
}

// Returns the cells of rivers, without outlets, so that each has a receiver.
std::vector<std::uint8_t> RiverCells(const Waters& waters, const Lakes& lakes,
                                     const Drainage& drainage, double min_flow_cells) {
  std::vector<std::uint8_t> is_river(drainage.receiver.size(), 0);
  for (std::size_t cell = 0; cell < is_river.size(); ++cell) {
    const bool enough = waters.flow_q8.values[cell] / 256.0 >= min_flow_cells;
    // Flow within a lake does not start a river.
    const bool can_be = drainage.receiver[cell] != kOutlet && lakes.lake_of.values[cell] == kNoLake;
    is_river[cell] = enough && can_be ? 1 : 0;
  }
  BridgeGaps(drainage, lakes, is_river);
  PruneSpurs(drainage, is_river);
  return is_river;
}

// Returns the water's surface along rivers, filled where needed so that it never rises downstream.
std::vector<double> Levels(const Waters& waters, const Drainage& drainage,
                           const std::vector<std::uint8_t>& is_river) {
  std::vector<double> level_m(is_river.size());
  for (const std::int32_t index : drainage.order) {
    const auto cell = static_cast<std::size_t>(index);
    level_m[cell] = waters.SurfaceM(cell);
    // Rivers end at the sea's surface, even if the world has no layer of water.
    if (waters.sea_level_m && drainage.receiver[cell] == kOutlet) {
      level_m[cell] = std::max(level_m[cell], *waters.sea_level_m);
    }
    if (is_river[cell] == 0) continue;
    level_m[cell] =
        std::max(level_m[cell], level_m[static_cast<std::size_t>(drainage.receiver[cell])]);
  }
  return level_m;
}

class Network {
 public:
  Network(const Waters& waters, const Drainage& drainage, const std::vector<std::uint8_t>& is_river)
      : waters_(waters),
        drainage_(drainage),
        is_river_(is_river),
        donors_(CountDonors(drainage, is_river)),
        orders_(survey::StrahlerOrderOfCells(drainage, is_river)),
        level_m_(Levels(waters, drainage, is_river)) {}

  std::vector<Reach> Reaches() const {
    std::vector<Reach> reaches;
    std::vector<std::pair<std::int32_t, std::size_t>> begins;
    for (std::size_t i = drainage_.order.size(); i-- > 0;) {
      const std::int32_t cell = drainage_.order[i];
      if (!Begins(static_cast<std::size_t>(cell))) continue;
      begins.emplace_back(cell, reaches.size());
      reaches.push_back(ReachFrom(cell));
    }
    std::ranges::sort(begins);
    for (Reach& reach : reaches) {
      const std::pair<std::int32_t, std::size_t> end(reach.vertices.back(), 0);
      const auto next = std::ranges::lower_bound(begins, end);
      if (next != begins.end() && next->first == end.first) {
        reach.next = next->second;
        Reach& below = reaches[reach.next];
        below.flow_cells = std::max(below.flow_cells, reach.flow_cells);
      }
    }
    return reaches;
  }

 private:
  bool Begins(std::size_t cell) const { return is_river_[cell] != 0 && donors_[cell] != 1; }

  Reach ReachFrom(std::int32_t first) const {
    Reach reach;
    reach.order = orders_[static_cast<std::size_t>(first)];
    double length_cells = 0;
    std::int32_t cell = first;
    do {
      Add(cell, reach);
      reach.flow_cells = std::max(reach.flow_cells,
                                  waters_.flow_q8.values[static_cast<std::size_t>(cell)] / 256.0);
      length_cells += drainage_.StepLength(cell);
      cell = drainage_.receiver[static_cast<std::size_t>(cell)];
    } while (is_river_[static_cast<std::size_t>(cell)] != 0 &&
             !Begins(static_cast<std::size_t>(cell)));
    Add(cell, reach);
    reach.length_m = length_cells * waters_.cell_m;
    return reach;
  }

  void Add(std::int32_t cell, Reach& reach) const {
    reach.vertices.push_back(cell);
    reach.level_m.push_back(level_m_[static_cast<std::size_t>(cell)]);
  }

  const Waters& waters_;
  const Drainage& drainage_;
  const std::vector<std::uint8_t>& is_river_;
  const std::vector<std::uint8_t> donors_;
  const std::vector<std::uint8_t> orders_;
  const std::vector<double> level_m_;
};

}  // namespace

std::vector<Reach> FindRivers(const Waters& waters, const Lakes& lakes, double min_flow_cells) {
  const Drainage drainage = Route(waters, lakes, min_flow_cells);
  const std::vector<std::uint8_t> is_river = RiverCells(waters, lakes, drainage, min_flow_cells);
  return Network(waters, drainage, is_river).Reaches();
}

double RiverWidthM(double drained_m2) {
  constexpr double kWidth = 0.0009;
  return kWidth * std::sqrt(drained_m2);
}

}  // namespace thalweg::hydrography
