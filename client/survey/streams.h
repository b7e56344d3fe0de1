// The laws of stream networks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "client/survey/drainage.h"

namespace thalweg::survey {

// Hack's exponent h of length = k * area^h (Hack 1957), by least squares over the logarithms of
// every basin of min_area cells or more. A basin is the area that drains to a stream's mouth, where
// it leaves the region or joins a larger one. Its length is the longest way of water from the
// divide to the mouth. Nothing if there are fewer than ten basins.
std::optional<double> HackExponent(const Drainage& drainage, int min_area);

// The Strahler order of each cell of a network, 0 for all others. `is_stream` has a value other
// than 0 for its cells. One of them without donors among them is of order 1; where two of one order
// meet, the next begins (Strahler 1957).
std::vector<std::uint8_t> StrahlerOrderOfCells(const Drainage& drainage,
                                               const std::vector<std::uint8_t>& is_stream);

// The streams of one Strahler order.
struct StreamOrder {
  int streams = 0;
  // The sum of their lengths in cells.
  double length = 0;
};

// The streams of each order of the network of all cells that drain min_area cells or more, from
// order 1 on (Strahler 1957): a stream without tributaries is of order 1; two of one order that
// meet make one of the next. A stream reaches to the cell where it becomes one of a higher order.
std::vector<StreamOrder> StrahlerOrders(const Drainage& drainage, int min_area);

// Horton's ratios (Horton 1945).
struct HortonRatios {
  int orders = 0;
  // The number of streams of an order over that of the next.
  double bifurcation = 0;
  // The mean length of an order's streams over that of the order below.
  double length = 0;
};

// The ratios of geometric series fitted by least squares to the logarithms. The highest order
// counts for the number of streams, not for their length: the region's edge cuts it off. Nothing if
// there are fewer than three orders.
std::optional<HortonRatios> FitHortonRatios(const std::vector<StreamOrder>& orders);

}  // namespace thalweg::survey
