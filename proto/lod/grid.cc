#include "proto/lod/grid.h"

#include <cmath>

namespace thalweg::lod {

wire::Shape ShapeOf(const Grid& grid) {
  return grid.radius_m > 0 ? wire::Shape::kSphere : wire::Shape::kPlane;
}

double CellSizeM(const Grid& grid, int level) { return std::ldexp(grid.cell_size_m, -level); }

double TileSizeM(const Grid& grid, int level) { return CellSizeM(grid, level) * wire::kTileCells; }

}  // namespace thalweg::lod
