#include "proto/lod/forecast.h"

#include <algorithm>
#include <cmath>

#include "proto/lod/tile_tree.h"

namespace thalweg::lod {
namespace {

constexpr double kLatticeCells = 1.0 / 64;

}  // namespace

Forecast ForecastOf(const Grid& grid, const wire::TileKey& key, FactsOf facts_of) {
  wire::TileKey known = key;
  const TileFacts* facts = facts_of(known);
  while (facts == nullptr && known.level > 0) {
    known = ParentOf(known);
    facts = facts_of(known);
  }
  const double strayed = facts != nullptr && known.level > 0 ? facts->geometric_error * kHeightUnitM
                                                             : CellSizeM(grid, known.level);
  const double expected = std::ldexp(strayed, known.level - key.level - 1);
  Forecast forecast;
  forecast.error_m = std::max(expected, kLatticeCells * CellSizeM(grid, key.level));
  if (facts != nullptr) {
    forecast.has_heights = true;
    forecast.min_height_m = facts->min_height * kHeightUnitM;
    forecast.max_height_m = facts->max_height * kHeightUnitM;
  }
  return forecast;
}

}  // namespace thalweg::lod
