// How a world is divided into levels of tiles: proto/geometry/surface.h.
import {tileCells} from './tile_key';

export interface Grid {
  readonly cellSizeM: number;
  readonly levels: number;
  // On a plane, positions are in metres from the north-west corner of this level-0 tile, so that they stay exact at
  // any distance from the origin. 0 on a planet, where positions are in metres from its middle.
  readonly originX: number;
  readonly originY: number;
  // The planet's radius; absent on an infinite plane.
  readonly radiusM?: number;
}

export function cellSizeM(grid: Grid, level: number): number {
  return grid.cellSizeM * 2 ** -level;
}

export function tileSizeM(grid: Grid, level: number): number {
  return cellSizeM(grid, level) * tileCells;
}
