// Ground from a formula.
#pragma once

#include <functional>

#include "client/tools/survey/grid.h"

namespace thalweg::survey {

// side x side heights. Each is a function of its column and row.
inline Grid<double> Surface(int side, const std::function<double(int, int)>& height) {
  Grid<double> grid = FilledGrid(side, side, 0.0);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) grid.At(x, y) = height(x, y);
  }
  return grid;
}

}  // namespace thalweg::survey
