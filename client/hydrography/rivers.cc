#include "client/hydrography/rivers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "client/hydrography/burn.h"
#include "client/hydrography/spurs.h"
#include "client/survey/drainage.h"
#include "client/survey/flood.h"
#include "client/survey/streams.h"

namespace thalweg::hydrography {
namespace {

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
