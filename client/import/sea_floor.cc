#include "client/import/sea_floor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "client/survey/neighbours.h"
#include "client/survey/region.h"

namespace thalweg::real_land {
namespace {

using survey::Grid;

constexpr std::size_t kMinCells = 100;
constexpr double kSlope = 0.02;
constexpr double kDeepestM = 30;
// Projections leave a flat sea flat but for the rounding of numbers.
constexpr double kLevelM = 1e-5;

enum class Kind : std::uint8_t { kLand, kFlat, kSea };

// Takes the connected flat of a cell for sea if it is large enough, else for land.
void Decide(std::size_t first, Grid<Kind>& kinds) {
  kinds.values[first] = Kind::kSea;
  const std::vector<std::size_t> flat =
      survey::RegionOf(kinds.width, kinds.height, first, [&kinds](std::size_t cell) {
        if (kinds.values[cell] != Kind::kFlat) return false;
        kinds.values[cell] = Kind::kSea;
        return true;
      });
  if (flat.size() >= kMinCells) return;
  for (const std::size_t cell : flat) kinds.values[cell] = Kind::kLand;
}

// Lets no cell of the sea be deeper than the slope allows from a neighbour on one side.
void FallFromShore(const Grid<Kind>& kinds, double cell_m, bool is_forward, Grid<double>& depth_m) {
  for (int row = 0; row < kinds.height; ++row) {
    const int y = is_forward ? row : kinds.height - 1 - row;
    for (int column = 0; column < kinds.width; ++column) {
      const int x = is_forward ? column : kinds.width - 1 - column;
      if (kinds.At(x, y) != Kind::kSea) continue;
      double& here_m = depth_m.At(x, y);
      for (const survey::Step& step : survey::kSteps) {
        const int to_x = x + step.dx;
        const int to_y = y + step.dy;
        if (!kinds.Contains(to_x, to_y)) continue;
        here_m = std::min(here_m, depth_m.At(to_x, to_y) + kSlope * step.length * cell_m);
      }
    }
  }
}

}  // namespace

std::int64_t MakeSeaFloor(Grid<double>& ground_m, double cell_m, double sea_level_m) {
  Grid<Kind> kinds = survey::FilledGrid(ground_m.width, ground_m.height, Kind::kLand);
  for (std::size_t i = 0; i < kinds.values.size(); ++i) {
    if (std::abs(ground_m.values[i] - sea_level_m) <= kLevelM) kinds.values[i] = Kind::kFlat;
  }
  for (std::size_t i = 0; i < kinds.values.size(); ++i) {
    if (kinds.values[i] == Kind::kFlat) Decide(i, kinds);
  }
  const auto cells = std::ranges::count(kinds.values, Kind::kSea);
  if (cells == 0) return 0;
  Grid<double> depth_m = survey::FilledGrid(ground_m.width, ground_m.height, 0.0);
  for (std::size_t i = 0; i < kinds.values.size(); ++i) {
    if (kinds.values[i] == Kind::kSea) depth_m.values[i] = kDeepestM;
  }
  FallFromShore(kinds, cell_m, true, depth_m);
  FallFromShore(kinds, cell_m, false, depth_m);
  for (std::size_t i = 0; i < kinds.values.size(); ++i) {
    if (kinds.values[i] == Kind::kSea) ground_m.values[i] = sea_level_m - depth_m.values[i];
  }
  return cells;
}

}  // namespace thalweg::real_land
