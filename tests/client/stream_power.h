// Landscapes of a known law.
#pragma once

#include <cstdint>

#include "client/survey/grid.h"

namespace thalweg::client_test {

// The steady state of an island that rises as fast as rivers cut it down: side x side heights in
// metres, 0 at the edge, slope = k * area^-concavity along each cell's steepest descent, area in
// cells. Rivers find their beds by implicit steps in time on D8 receivers (Braun & Willett 2013),
// O(n) each, from a random surface that drains; the last bed's steady state is exact. No part of
// client/survey does any of this. cell_size_m is 1; k is such that the ground is about as high as
// mountains at 30 m.
survey::Grid<double> StreamPowerLandscape(int side, double concavity, std::uint64_t seed);

}  // namespace thalweg::client_test
