#include "client/src/ground/ground_patch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "proto/lod/tile_facts.h"

namespace thalweg {
namespace {

double VertexHeightM(const Tile& tile, int column, int row) {
  const std::size_t at =
      static_cast<std::size_t>(row) * kTileVertices + static_cast<std::size_t>(column);
  return lod::kHeightUnitM * tile.planes.front().values[at];
}

}  // namespace

double LowestM(const Tile& tile) { return lod::kHeightUnitM * tile.planes.front().min; }
double HighestM(const Tile& tile) { return lod::kHeightUnitM * tile.planes.front().max; }

Patch::Patch(const Tile& tile, int column, int row) {
  const double nw = VertexHeightM(tile, column, row);
  const double ne = VertexHeightM(tile, column + 1, row);
  const double sw = VertexHeightM(tile, column, row + 1);
  const double se = VertexHeightM(tile, column + 1, row + 1);
  a = nw;
  b = ne - nw;
  c = sw - nw;
  d = nw - ne - sw + se;
}

PlaceInTile InTile(const wire::TileKey& key, const lod::Place& place) {
  const int bits = key.level + wire::kTileBits;
  return {std::ldexp(place.x, bits) - static_cast<double>(key.x) * kTileCells,
          std::ldexp(place.y, bits) - static_cast<double>(key.y) * kTileCells};
}

std::optional<double> FirstRoot(double c0, double c1, double c2, double max) {
  if (c0 == 0) return 0;
  double min = std::numeric_limits<double>::infinity();
  const auto consider = [&](double t) {
    if (t >= 0 && t <= max) min = std::min(min, t);
  };
  const double discriminant = c1 * c1 - 4 * c2 * c0;
  if (discriminant < 0) return std::nullopt;
  // This form avoids cancellation: Press et al., Numerical Recipes, section 5.6.
  const double q = -0.5 * (c1 + std::copysign(std::sqrt(discriminant), c1));
  if (q != 0) consider(c0 / q);
  if (c2 != 0) consider(q / c2);
  if (min == std::numeric_limits<double>::infinity()) return std::nullopt;
  return min;
}

}  // namespace thalweg
