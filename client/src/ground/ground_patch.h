// The ground of a tile's cells as surfaces, and where lines meet them.
#pragma once

#include <optional>

#include "proto/lod/surface.h"
#include "thalweg/tile.h"

namespace thalweg {

// In metres; of a tile with its height as the first plane.
double LowestM(const Tile& tile);
double HighestM(const Tile& tile);

// A cell's bilinear patch: height = a + b u + c v + d u v in metres, u and v from 0 to 1.
struct Patch {
  double a, b, c, d;

  // Column and row are 0 to 255.
  Patch(const Tile& tile, int column, int row);
  double At(double u, double v) const { return a + b * u + c * v + d * u * v; }
};

// In cells from the north-west corner of a tile.
struct PlaceInTile {
  double x = 0;
  double y = 0;
};
PlaceInTile InTile(const wire::TileKey& key, const lod::Place& place);

// The least t from 0 to `max` with c0 + c1 t + c2 t^2 = 0.
std::optional<double> FirstRoot(double c0, double c1, double c2, double max);

}  // namespace thalweg
