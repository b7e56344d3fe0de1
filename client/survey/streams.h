// Measures laws of stream networks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "client/survey/drainage.h"

namespace thalweg::survey {

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
