// Measures laws of stream networks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "client/tools/survey/depressions.h"
#include "client/tools/survey/grid.h"

namespace thalweg::survey {

// A tree of drainage: the water of each cell goes to one of its neighbours, or leaves the region.
struct Drainage {
  int width = 0;
  int height = 0;
  // The cell that each cell drains to, as an index; kOutlet where water leaves.
  std::vector<std::int32_t> receiver;
  // Every cell, each after its receiver.
  std::vector<std::int32_t> order;
  // The number of cells that drain through each cell, including itself.
  std::vector<std::int32_t> area;
  // The length in cells of the longest way of water to each cell.
  std::vector<double> length;

  // Returns the length in cells of a cell's step to its receiver. The cell must have a receiver.
  double StepLength(std::int32_t cell) const;
};

// Routes water by D8 (O'Callaghan & Mark 1984) on the filled surface: each cell drains to the
// neighbour of steepest descent. Where the filled surface is flat, water follows the flood's path
// backwards, which is the shortest way to the flat's outlet.
Drainage RouteDrainage(const Flood& flood);

// Computes area and length of a tree with known receivers and order.
void Accumulate(Drainage& drainage);

// Returns the length of a river's next 24 steps divided by their chord, averaged over all river
// cells. At least kRiverArea cells drain to a river cell. 1 is straight; D8 ways of real rivers
// have 1.16 to 1.22 with cells of 30 to 90 m. Nothing if fewer than 20 cells have 24 steps.
inline constexpr int kRiverArea = 400;
std::optional<double> Sinuosity(const Drainage& drainage);

// Cells are channels if at least this many cells drain to them.
inline constexpr int kChannelArea = 100;

// Returns theta of slope = k * area^-theta (Flint 1974): how concave rivers are. Slopes are those
// of the steps of the drainage. Only channels count, without steps from or to cells under standing
// water or a filled depression. The line is fitted to the means of both logarithms in five bins per
// decade of area, each with at least twenty cells. Heights are in metres; the cell's size cancels
// out. Nothing for fewer than three such bins.
std::optional<double> Concavity(const Grid<double>& ground_m, const Grid<double>& water_m,
                                const Flood& flood, const Drainage& drainage);

// Returns Hack's exponent h of length = k * area^h (Hack 1957), by least squares over the
// logarithms of every basin of at least min_area cells. A basin is the area that drains to a
// stream's mouth, where it leaves the region or joins a larger stream. Its length is the longest
// way of water from the divide to the mouth. Nothing for fewer than ten basins.
std::optional<double> HackExponent(const Drainage& drainage, int min_area);

// Returns the Strahler order of each cell of a network, 0 for other cells. `is_stream` is not 0 for
// the network's cells. A cell without donors in the network has order 1; where two of the same
// order meet, the next order begins (Strahler 1957).
std::vector<std::uint8_t> StrahlerOrderOfCells(const Drainage& drainage,
                                               const std::vector<std::uint8_t>& is_stream);

// The streams of one Strahler order.
struct StreamOrder {
  int streams = 0;
  // The sum of their lengths in cells.
  double length = 0;
};

// Returns the streams of each order from 1 on (Strahler 1957), in the network of cells that drain
// at least min_area cells. A stream without tributaries has order 1; two of the same order that
// meet make one of the next. A stream ends at the cell where it becomes one of a higher order.
std::vector<StreamOrder> StrahlerOrders(const Drainage& drainage, int min_area);

// Horton's ratios (Horton 1945).
struct HortonRatios {
  int orders = 0;
  // The number of streams of an order divided by that of the next order.
  double bifurcation = 0;
  // The mean length of an order's streams divided by that of the order below.
  double length = 0;
};

// Fits geometric series to the logarithms by least squares, and returns their ratios. The highest
// order counts for the number of streams but not for their length, because the region's edge cuts
// it off. Nothing for fewer than three orders.
std::optional<HortonRatios> FitHortonRatios(const std::vector<StreamOrder>& orders);

}  // namespace thalweg::survey
