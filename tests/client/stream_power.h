// Landscapes that obey a known law.
#pragma once

#include <cstdint>

#include "client/tools/survey/grid.h"

namespace thalweg::client_test {

// The steady state of an island that rises as fast as rivers cut it down. It has side x side
// heights in metres, 0 at the edge. Along a cell's steepest descent, slope = k * area^-concavity,
// with the area in cells. Rivers find their beds from a random drained surface by implicit time
// steps on D8 receivers (Braun & Willett 2013), O(n) each. The steady state of the last bed is
// exact. No code of client/tools/survey is used. Cells are 1 m wide, and k makes the ground about
// as high as mountains with cells of 30 m.
survey::Grid<double> StreamPowerLandscape(int side, double concavity, std::uint64_t seed);

}  // namespace thalweg::client_test
